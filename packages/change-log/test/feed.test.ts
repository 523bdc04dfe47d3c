import type { PrismaConnection } from '@service/postgres/sql';
import { useDatabase } from '@service/postgres/testing/database';
import fc from 'fast-check';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { changeLog } from '../src/change-log.ts';
import { type ChangeMonitor, openChangeMonitor } from '../src/change-monitor.ts';
import { decodeCursor, encodeCursor } from '../src/cursor.ts';
import type { EventSource, Identified } from '../src/events.ts';
import { type Feed, openFeed } from '../src/feed.ts';
import { noMark } from '../src/position.ts';
import { createNotesLog } from './support/notes-log.ts';

interface Note {
  readonly note: string;
}
type Content = z.output<typeof content>;

const content = z.object({ notes: z.array(z.string()) });
const log = changeLog({ table: 'log', content, loggedTables: ['notes'], channel: 'notes' });
const reload = 'everything';
const source: EventSource<Content, Note> = {
  size: ({ notes }) => notes.length,
  sizes: 'jsonb_array_length(notes)',
  read: async (entries) => entries.map(({ notes }) => notes.map((note) => ({ note }))),
  reload: () => ({ note: reload }),
  isReload: ({ note }) => note === reload,
};

const database = useDatabase();
const clients: Client[] = [];
const monitors: ChangeMonitor<'notes', Content>[] = [];
const feeds: Feed<Note>[] = [];
beforeAll(async () => {
  await database.query(createNotesLog);
  for (const _ of ['here', 'there']) {
    const monitor = await openChangeMonitor<'notes', Content>({
      databaseUrl: database.url,
      log,
      names: ['notes'],
      changeOf: () => undefined,
      warn: () => undefined,
    });
    monitors.push(monitor);
    const db: PrismaConnection = {
      $queryRawUnsafe: async (sql: string, ...values: unknown[]) =>
        JSON.parse(JSON.stringify(await database.query(sql, values))),
    };
    feeds.push(
      openFeed({
        db,
        changeLog: log,
        source,
        changes: monitor,
        errorOf: (problem) => new Error(problem),
        log: pino({ enabled: false }),
      }),
    );
  }
  for (let count = 0; count < 4; count += 1) clients.push(new Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(async () => {
  await Promise.all(feeds.map((feed) => feed.close()));
  await Promise.all(monitors.map((monitor) => monitor.close()));
  await Promise.all(clients.map((client) => client.end()));
});

type Events = AsyncIterableIterator<Identified<Note>>;

const subscribe = (instance: number, after?: string): Promise<Events> => {
  const feed = feeds[instance % 2];
  if (feed === undefined) throw new Error('There are two instances.');
  return feed.subscribe({ owner: 'ada', matches: () => true, after, watch: () => () => undefined });
};
const write = (...notes: readonly string[]) =>
  database.query('INSERT INTO log (notes) VALUES ($1)', [JSON.stringify(notes)]);

/** Reads up to the event of a note, and ends the subscription. */
async function takeUntil(events: Events, last: string): Promise<Identified<Note>[]> {
  const taken: Identified<Note>[] = [];
  for await (const event of events) {
    taken.push(event);
    if (event.note === last) break;
  }
  return taken;
}
async function pullAll(feed: Feed<Note>, after: string): Promise<string[]> {
  const { events, cursor, hasMore } = await feed.pull(after, 1);
  return [...notesIn(events), ...(hasMore ? await pullAll(feed, cursor) : [])];
}
const cursorAtEnd = async (feed: Feed<Note>): Promise<string> => {
  const { cursor } = await feed.pull(undefined, 1);
  return (await feed.pull(cursor, 1_000)).cursor;
};
const notesIn = (events: readonly Note[]): string[] => events.map(({ note }) => note);

describe('a subscriber', () => {
  it('that resumes behind more events than the replay buffer holds receives all of them in order', async () => {
    const events = await subscribe(0);
    await write('first');
    const [first] = await takeUntil(events, 'first');
    await database.query(`DO $$ BEGIN FOR i IN 1..1200 LOOP
      INSERT INTO log (notes) VALUES (json_build_array('note ' || i)); COMMIT; END LOOP; END $$`);
    const expected = Array.from({ length: 1_200 }, (_, index) => `note ${index + 1}`);

    for (const instance of [0, 1]) {
      const received = await takeUntil(await subscribe(instance, first?.id), 'note 1200');
      expect(notesIn(received)).toEqual(expected);
    }
  });

  it('that is slow neither delays others nor loses events', async () => {
    const [slow, quick] = [await subscribe(0), await subscribe(0)];
    await database.query(`DO $$ BEGIN FOR i IN 1..1300 LOOP
      INSERT INTO log (notes) VALUES (json_build_array('more ' || i)); COMMIT; END LOOP; END $$`);

    expect(await takeUntil(quick, 'more 1300')).toHaveLength(1_300);
    expect(await takeUntil(slow, 'more 1300')).toHaveLength(1_300);
  });

  it('that resumes in the middle of a transaction receives the rest of it', async () => {
    const events = await subscribe(0);
    await write('one', 'two', 'three');
    const [one] = await takeUntil(events, 'three');

    expect(notesIn(await takeUntil(await subscribe(1, one?.id), 'three'))).toEqual(['two', 'three']);
  });

  it('that resumes behind removed entries, or from no place of the log, is told to read everything', async () => {
    const events = await subscribe(0);
    await write('seen');
    const [seen] = await takeUntil(events, 'seen');
    await write('removed');
    await write('last');
    await database.query('DELETE FROM log WHERE id < (SELECT max(id) FROM log)');

    for (const after of [seen?.id, 'no id']) {
      const [only] = await takeUntil(await subscribe(1, after), reload);
      const resumed = await subscribe(1, only?.id);
      await write('now');
      expect(notesIn(await takeUntil(resumed, 'now'))).toEqual(['now']);
    }
  });
});

/** A transaction that is committed after a crash under the id of one before it, of which nothing was flushed. */
const writeAgain = (xid: unknown, note: string) =>
  database.query('INSERT INTO log (xid, notes) VALUES ($1::xid8, $2)', [xid, JSON.stringify([note])]);

it('what is committed after a crash is read once, from any cursor from before it', async () => {
  const [feed] = feeds;
  if (feed === undefined) throw new Error('There is a feed.');
  await write('before');
  const [taken, other] = await Promise.all(
    [1, 2].map(() => database.query('SELECT pg_current_xact_id()::text AS xid')),
  );
  const events = await subscribe(0);
  const start = await cursorAtEnd(feed);
  await write('one');
  await write('two');
  const { cursor: within } = await feed.pull(start, 1);
  const end = await cursorAtEnd(feed);
  await writeAgain(taken?.[0]?.['xid'], 'three');
  await feed.pull(end, 1);
  await writeAgain(other?.[0]?.['xid'], 'four');

  expect(notesIn(await takeUntil(events, 'four'))).toEqual(['one', 'two', 'three', 'four']);
  for (const [after, ...rest] of [
    [start, 'one', 'two', 'three', 'four'],
    [within, 'two', 'three', 'four'],
    [end, 'three', 'four'],
  ] as const) {
    for (const instance of [0, 1])
      expect(notesIn(await takeUntil(await subscribe(instance, after), 'four'))).toEqual(rest);
    expect(await pullAll(feed, after)).toEqual(rest);
  }
});

it('a cursor of an early version, whose range has no last entry, leads to a reload', async () => {
  const [feed] = feeds;
  const start = feed && (await cursorAtEnd(feed));
  await write('one');
  await write('two');
  const cursor = decodeCursor((await feed?.pull(start, 1))?.cursor ?? '');
  if (cursor?.within === undefined) throw new Error('The cursor is within a range.');
  const { within, ...base } = cursor;
  const early = encodeCursor({ ...base, within: { ...within, until: { ...within.until, last: noMark } } });

  expect(await feed?.pull(encodeCursor(cursor), 1)).toMatchObject({ events: [{ note: 'two' }], reload: false });
  expect(await feed?.pull(early, 1)).toMatchObject({ events: [], reload: true });
});

it('a subscriber that resumes after any event, at any instance, receives exactly the remaining ones', async () => {
  const steps = fc.array(fc.record({ session: fc.nat(3), ends: fc.boolean() }), { minLength: 6, maxLength: 24 });
  let run = 0;
  const property = fc.asyncProperty(steps, async (plan) => {
    run += 1;
    const events = await subscribe(0);
    const open = new Map<number, string[]>();
    const end = async (session: number): Promise<void> => {
      const notes = JSON.stringify(open.get(session));
      await clients[session]?.query('UPDATE log SET notes = $1 WHERE xid = pg_current_xact_id()', [notes]);
      await clients[session]?.query('COMMIT');
      open.delete(session);
    };
    const written: string[] = [];
    for (const [index, { session, ends }] of plan.entries()) {
      const note = `${run} ${index}`;
      const notes = open.get(session);
      if (notes === undefined) {
        await clients[session]?.query('BEGIN');
        await clients[session]?.query(`INSERT INTO log (notes) VALUES ('[]')`);
      }
      open.set(session, [...(notes ?? []), note]);
      written.push(note);
      if (ends) await end(session);
    }
    for (const session of [...open.keys()]) await end(session);
    const last = `${run} last`;
    await write(last);
    const all = await takeUntil(events, last);
    expect(notesIn(all).toSorted()).toEqual([...written, last].toSorted());

    for (const [index, { id }] of all.slice(0, -1).entries()) {
      const rest = await takeUntil(await subscribe(index, id), last);
      const received = [...all.slice(0, index + 1), ...rest];
      expect(notesIn(received).toSorted()).toEqual([...written, last].toSorted());
    }
  });
  await fc.assert(property, { numRuns: inject('thorough') ? 10 : 3, endOnFailure: true });
});
