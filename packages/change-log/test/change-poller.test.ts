import { useDatabase } from '@service/postgres/testing/database';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { changeLog } from '../src/change-log.ts';
import { openChangePoller, type Poll } from '../src/change-poller.ts';

const database = useDatabase();
const log = changeLog({
  table: 'log',
  content: z.object({ notes: z.array(z.int()) }),
  loggedTables: ['notes'],
  channel: 'notes',
});
beforeAll(() =>
  database.query(`
    CREATE TABLE notes (id int PRIMARY KEY);
    CREATE TABLE log (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      xid xid8 NOT NULL UNIQUE DEFAULT pg_current_xact_id(),
      at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      notes json NOT NULL DEFAULT '[1]'
    )`),
);
const change = () => database.query('INSERT INTO log DEFAULT VALUES');

/** A poller, and everything that it has returned. */
async function poll() {
  const polls: Poll<{ notes: number[] }>[] = [];
  const problems: string[] = [];
  const poller = await openChangePoller({
    databaseUrl: database.url,
    log,
    onPoll: (one) => polls.push(one),
    onFailure: ({ message }) => problems.push(message),
  });
  onTestFinished(() => poller.close());
  return { poller, refresh: () => poller.refresh(), polls, problems };
}

describe('a poll', () => {
  it('reports each transaction once, when it has been committed', async () => {
    const { refresh, polls } = await poll();
    await change();
    await refresh();
    await refresh();
    await database.query('BEGIN; INSERT INTO log DEFAULT VALUES; ROLLBACK');
    await change();
    await refresh();

    expect(polls.slice(1).map(({ entries }) => entries?.map(({ notes }) => notes))).toEqual([[[1]], [[1]]]);
  });

  it('reports a transaction once that has the id of one before the last poll, as after a crash', async () => {
    const [before] = await database.query('SELECT pg_current_xact_id()::text AS xid');
    await change();
    const { refresh, polls } = await poll();
    await database.query('INSERT INTO log (xid) VALUES ($1::xid8)', [before?.['xid']]);
    await refresh();
    await refresh();

    expect(polls.slice(1).map(({ entries }) => entries?.map(({ xid }) => String(xid)))).toEqual([[before?.['xid']]]);
  });

  it('reports everything as changed when there are more transactions than it reads', async () => {
    const { refresh, polls } = await poll();
    // On a busy machine a poll may run in between and return only some of them.
    await expect
      .poll(async () => {
        await database.query(
          'DO $$ BEGIN FOR i IN 1..501 LOOP INSERT INTO log DEFAULT VALUES; COMMIT; END LOOP; END $$',
        );
        await refresh();
        return polls.slice(1).some(({ entries, since }) => entries === null && since !== undefined);
      })
      .toBe(true);
  });

  it('is current as of the moment when it was sent', async () => {
    const { poller } = await poll();
    const before = performance.now();
    await poller.refresh();
    const after = performance.now();

    expect(poller.currentAsOf).toBeGreaterThanOrEqual(before);
    expect(poller.currentAsOf).toBeLessThanOrEqual(after);
  });
});

describe('an unreadable log', () => {
  it('is reported once, and read again as soon as possible', async () => {
    const { poller, problems } = await poll();
    await database.query('ALTER TABLE log RENAME TO elsewhere');
    await expect(poller.refresh()).rejects.toThrow('log');
    await expect(poller.refresh()).rejects.toThrow('log');
    expect(poller.currentAsOf).toBe(Number.NEGATIVE_INFINITY);
    await database.query('ALTER TABLE elsewhere RENAME TO log');
    await poller.refresh();

    expect(poller.currentAsOf).toBeGreaterThan(0);
    expect(problems).toEqual(['relation "log" does not exist']);
  });

  it('is not one with an entry of another version: that counts as a change of everything', async () => {
    const { refresh, polls } = await poll();
    await database.query(`INSERT INTO log (notes) VALUES ('["a text"]')`);
    await refresh();
    await change();
    await refresh();

    expect(polls.slice(1).map(({ entries }) => entries?.length ?? null)).toEqual([null, 1]);
  });

  it('is not reported during a connection failure', async () => {
    const { refresh, problems } = await poll();
    await database.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE application_name LIKE '%change log%' AND datname = current_database()`,
    );
    await refresh().catch(() => undefined);
    await refresh();

    expect(problems).toEqual([]);
  });
});

describe('another history of the database', () => {
  const changes = {
    'a log of which the last entry is gone': 'DELETE FROM log WHERE id = (SELECT max(id) FROM log)',
    'a log of which the last entry is another one': `UPDATE log SET at = at + interval '1 second' WHERE id = (SELECT max(id) FROM log)`,
    'a log that was emptied': 'TRUNCATE log',
    'a table that was restored': 'DROP TABLE notes; CREATE TABLE notes (id int PRIMARY KEY)',
  };

  it.each(Object.entries(changes))('is detected by %s', async (_what, sql) => {
    const { refresh, polls } = await poll();
    await change();
    await refresh();
    await database.query(sql);
    await refresh();
    await change();
    await refresh();

    expect(polls.slice(1).map(({ since, entries }) => [since !== undefined, entries?.length])).toEqual([
      [true, 1],
      [false, undefined],
      [true, 1],
    ]);
  });
});
