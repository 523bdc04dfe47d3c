import type { PrismaConnection } from '@service/postgres/sql';
import { useDatabase } from '@service/postgres/testing/database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { changeLog } from '../src/change-log.ts';
import { type ChangeMonitor, openChangeMonitor } from '../src/change-monitor.ts';
import { type Feed, openFeed } from '../src/feed.ts';
import { createNotesLog } from './support/notes-log.ts';

interface Note {
  readonly note: number;
}

const entries = 12;
const eventsOfEntry = 600;
const log = changeLog({
  table: 'log',
  content: z.object({ notes: z.array(z.int()) }),
  loggedTables: ['notes'],
  channel: 'notes',
});

const database = useDatabase();
let monitor: ChangeMonitor<'notes', { notes: number[] }>;
let feed: Feed<Note>;
/** Statements that are being executed, the most at a time, and the most bytes that one has returned. */
const statements = { running: 0, most: 0, bytes: 0 };
const db: PrismaConnection = {
  $queryRawUnsafe: async (sql: string, ...values: unknown[]) => {
    statements.running += 1;
    statements.most = Math.max(statements.most, statements.running);
    const json = JSON.stringify(await database.query(sql, values));
    statements.running -= 1;
    statements.bytes = Math.max(statements.bytes, json.length);
    return JSON.parse(json);
  },
};
const insert = (note: number) => database.query('INSERT INTO log (notes) VALUES ($1)', [JSON.stringify([note])]);

beforeAll(async () => {
  await database.query(createNotesLog);
  await insert(-1);
  const warn = () => undefined;
  monitor = await openChangeMonitor({
    databaseUrl: database.url,
    log,
    names: ['notes'],
    changeOf: () => undefined,
    warn,
  });
  feed = openFeed<{ notes: number[] }, Note>({
    db,
    changeLog: log,
    source: {
      size: ({ notes }) => notes.length,
      sizes: 'jsonb_array_length(notes)',
      read: async (found) => found.map(({ notes }) => notes.map((note) => ({ note }))),
      reload: () => ({ note: Number.NaN }),
      isReload: ({ note }) => Number.isNaN(note),
    },
    changes: monitor,
    errorOf: (problem) => new Error(problem),
    log: pino({ enabled: false }),
  });
});
afterAll(async () => {
  await feed.close();
  await monitor.close();
});

it('the subscribers of an owner who missed large transactions read two pages at a time, none much longer than its events', async () => {
  const { cursor } = await feed.pull(undefined, 1);
  for (let count = 0; count < 10; count += 1) await insert(-1);
  const missed = await feed.pull(cursor, 10);
  const cursors = missed.events.map(({ id }) => id);
  expect(new Set(cursors).size).toBe(10);
  for (let entry = 0; entry < entries; entry += 1) {
    await database.query(
      'INSERT INTO log (notes) SELECT jsonb_agg(note) FROM generate_series($1::int, $1::int + $2::int - 1) AS note',
      [entry * eventsOfEntry, eventsOfEntry],
    );
  }
  Object.assign(statements, { most: 0, bytes: 0 });

  const last = entries * eventsOfEntry - 1;
  const seen = await Promise.all(
    cursors.map(async (after) => {
      const notes: number[] = [];
      const events = await feed.subscribe({ owner: 'ada', matches: () => true, after, watch: () => () => undefined });
      for await (const { note } of events) {
        notes.push(note);
        if (note === last) break;
      }
      return notes.filter((note) => note >= 0);
    }),
  );

  const all = Array.from({ length: last + 1 }, (_, note) => note);
  for (const notes of seen) expect(notes).toEqual(all);
  expect(statements.most).toBe(2);
  expect(statements.bytes).toBeLessThan(2 * JSON.stringify(all.slice(-1_000)).length);
});
