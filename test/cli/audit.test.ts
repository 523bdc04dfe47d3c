import { lockTable, waitingForLocks } from '@service/postgres/testing/table-lock';
import { describe, expect, it } from 'vitest';
import { useEmptiedDatabase } from '../support/database.ts';
import { runCommand } from './run-command.ts';

const database = useEmptiedDatabase();

const prune = (...words: string[]) =>
  runCommand(database.url, ['audit', 'prune', '--before', '2016-01-01', '--json', ...words]);

const insert = (at: string, count = 1) =>
  database.query(
    `INSERT INTO audit_entries (at, actor, action, subject, subject_id)
    SELECT $1, 'ada', 'create', 'Program', i FROM generate_series(1, $2::int) AS i`,
    [at, count],
  );

const days = async (): Promise<unknown[]> =>
  (
    await database.query(`SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM audit_entries ORDER BY at`)
  ).map(({ day }) => day);

describe('audit list', () => {
  const list = (...words: string[]) => runCommand(database.url, ['audit', 'list', ...words]);

  it('shows the entries of a change, newest first, with the records in JSON and without them in a table', async () => {
    await insert('2010-05-05', 2);
    const [change] = await database.query(
      `INSERT INTO audit_entries (actor, action, subject, subject_id, change_id, before, after)
        VALUES ('ada', 'update', 'Program', 7, gen_random_uuid(), '{"name": "Optics"}', '{"name": "Light"}')
        RETURNING change_id::text AS id`,
    );
    const { exitCode, out } = await list('--change', String(change?.['id']));
    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      [
        {
          id: 3,
          at: expect.any(String),
          actor: 'ada',
          keyId: null,
          requestId: null,
          changeId: change?.['id'],
          action: 'UPDATE',
          subject: 'Program',
          subjectId: 7,
          before: { name: 'Optics' },
          after: { name: 'Light' },
        },
      ],
    ]);
    const table = await list('--change', String(change?.['id']), '--no-json');
    expect(table.out).toMatch(/^ID .* ACTION .*SUBJECT ID\n.*UPDATE +Program +7\n$/);
    const latest: { id: number }[] = JSON.parse((await list('--first', '2')).out);
    expect(latest.map(({ id }) => id)).toEqual([3, 2]);
  });

  it.each([
    ['--change', '7', 'changeId must be the identifier of a change.'],
    ['--first', '0', 'The number of entries must be a whole number from 1 to 10000.'],
    ['--first', 'all', 'The number of entries must be a whole number from 1 to 10000.'],
  ])('takes no %s %s', async (option, value, problem) => {
    const { exitCode, err } = await list(option, value);
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(problem) });
  });
});

describe('audit prune', () => {
  it('removes the entries from before a day, records that, and leaves the log append-only', async () => {
    for (const at of ['2010-05-05', '2015-12-31T23:59:59.999Z', '2016-01-01T00:00:00Z']) await insert(at);

    const { exitCode, out } = await prune();

    expect([exitCode, JSON.parse(out)]).toEqual([0, { before: '2016-01-01T00:00:00.000Z', entries: 2, removed: true }]);
    expect(await days()).toEqual(['2016-01-01', new Date().toISOString().slice(0, 10)]);
    expect(await database.query(`SELECT actor, action, after FROM audit_entries WHERE subject = 'AuditLog'`)).toEqual([
      { actor: 'cli', action: 'delete', after: { before: '2016-01-01T00:00:00.000Z', entries: 2 } },
    ]);
    await expect(database.query('DELETE FROM audit_entries')).rejects.toThrow('never changed or deleted');
  });

  it('only counts with --dry-run', async () => {
    await insert('2010-05-05', 3);

    expect(JSON.parse((await prune('--dry-run')).out)).toMatchObject({ entries: 3, removed: false });
    expect(await days()).toHaveLength(3);
  });

  it('removes any number of entries, and leaves no trace when there are none', async () => {
    await insert('2010-05-05', 10_001);

    expect(JSON.parse((await prune()).out)).toMatchObject({ entries: 10_001 });
    expect(JSON.parse((await prune()).out)).toMatchObject({ entries: 0 });
    expect(await days()).toHaveLength(1);
  });

  it('waits for a transaction that writes to the log, without holding up others for long', async () => {
    await insert('2010-05-05');
    const held = await lockTable(database, 'audit_entries');
    const pruning = prune();
    const waits = new Set<unknown>();
    const waiting = `SELECT waitstart::text AS since ${waitingForLocks} AND waitstart IS NOT NULL`;
    // It has given up once, and tries again.
    await expect
      .poll(async () => {
        for (const { since } of await database.query(waiting)) waits.add(since);
        return waits.size;
      })
      .toBeGreaterThan(1);
    await held.release();

    expect(JSON.parse((await pruning).out)).toMatchObject({ entries: 1 });
  });
});
