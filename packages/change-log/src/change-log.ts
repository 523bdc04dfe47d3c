import { type PrismaConnection, queryJson } from '@service/postgres/sql';
import { z } from 'zod';
import { hasEntry, type LogPosition, type Mark, mark, wasRead } from './position.ts';

/**
 * The changes of one transaction. When two transactions changed one record, the first to commit has the smaller `id`.
 */
export type LogEntry<Content> = Mark & Content;

interface LogOptions<Content extends object> {
  /** Has `id` (a sequence), `xid` (unique, of the type xid8), `at`, and the columns of the content. */
  readonly table: string;
  readonly content: z.ZodObject<z.core.$ZodShape> & z.ZodType<Content>;
  /** Tables whose ids identify the database: a restored backup has others. */
  readonly loggedTables: readonly string[];
  /** The channel of NOTIFY. */
  readonly channel: string;
}

export interface ChangeLog<Content extends object> extends Omit<LogOptions<Content>, 'content'> {
  readonly columns: string;
  /** `null` when an entry has another form, as of a newer version of the service: its changes are unknown. */
  readonly entries: z.ZodType<LogEntry<Content>[] | null>;
}

/** The content of an entry has a column for each field of the schema. */
export function changeLog<Content extends object>({ content, ...log }: LogOptions<Content>): ChangeLog<Content> {
  return {
    ...log,
    columns: `id, xid::text::bigint AS xid, at, ${Object.keys(content.shape).join(', ')}`,
    entries: z.array(z.intersection(mark, content)).nullable().catch(null),
  };
}

/** Entries that have been read at the position `until` and not at `after`, from an id on. */
export interface LogWindow {
  readonly after: LogPosition;
  readonly until: LogPosition;
  readonly from: number;
  /** How many events of the entry `from` do not count. */
  readonly seen: number;
  /** SQL: how many events an entry has at most; those without are left out. */
  readonly events: string;
}

interface WindowPage<Content> {
  readonly entries: LogEntry<Content>[];
  /** Whether the window has no others. */
  readonly isAll: boolean;
}

/** Entries with more events together are another page, unless one entry has more. */
const eventsMax = 1_000;

/**
 * Reads the first entries by id, `max` at most; `undefined` when the cleanup has removed some, or the last entry of `after`
 * or `until` is not in this log.
 */
export async function readWindow<Content extends object>(
  db: PrismaConnection,
  { table, columns, entries }: ChangeLog<Content>,
  { after, until, from, seen, events }: LogWindow,
  max: number,
): Promise<WindowPage<Content> | undefined> {
  // A transaction in progress at the snapshot may have written an id smaller than the last one read. Such transactions
  // are in the snapshot's list, or among the first after its xmax: at most one for each connection.
  const ctes = `WITH found AS (
      SELECT *, (${events}) - CASE WHEN id = $9 THEN $11::int ELSE 0 END AS events FROM ${table}
      WHERE id >= CASE WHEN $9::bigint > 0 THEN $9 ELSE least(
        $1::bigint,
        (SELECT min(id) FROM ${table} WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($4::pg_snapshot)))),
        (SELECT min(id) FROM (
          SELECT id FROM ${table} WHERE xid >= pg_snapshot_xmax($4::pg_snapshot) ORDER BY xid
          LIMIT current_setting('max_connections')::int + 1000
        ) AS next)
      ) END
      AND NOT ${wasRead({ snapshot: '$4::pg_snapshot', id: '$1::bigint' })}
      AND ${wasRead({ snapshot: '$8::pg_snapshot', id: '$5::bigint' })}
      AND (${events}) > 0
      ORDER BY id LIMIT $10
    ), counted AS (
      SELECT *, total <= ${eventsMax} OR total = events AS "isFirst"
      FROM (SELECT *, sum(events) OVER (ORDER BY id) AS total FROM found) AS summed
    )`;
  const text = `SELECT
    ${hasEntry(table, { id: '$1::bigint', xid: '$2::xid8', at: '$3::timestamptz' })}
      AND ${hasEntry(table, { id: '$5::bigint', xid: '$6::xid8', at: '$7::timestamptz' })} AS "isContinued",
    (SELECT count(*) < $10 AND coalesce(bool_and("isFirst"), true) FROM counted) AS "isAll",
    (SELECT coalesce(json_agg(entry), '[]')
      FROM (SELECT ${columns} FROM counted WHERE "isFirst" ORDER BY id) AS entry) AS entries`;
  const valuesOf = ({ snapshot, last: { id, xid, at } }: LogPosition) => [id, String(xid), at.toISOString(), snapshot];
  const page = z.tuple([z.object({ isContinued: z.boolean(), isAll: z.boolean(), entries })]);
  const values = [...valuesOf(after), ...valuesOf(until), from, max, seen];
  const [{ isContinued, isAll, entries: found }] = page.parse(await queryJson(db, { ctes, text, values }));
  return isContinued && found !== null ? { entries: found, isAll } : undefined;
}

/** The part of Prisma's client that is used here. */
interface WritableDatabase {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
}

/** Lets a nightly job miss a long weekend. */
export const retentionDays = 7;

/**
 * Removes older entries, but keeps the last one, which identifies the log, and those of the hour before it: the cursor
 * of a client that has been away for less than the retention names one of these or a later one, even when changes are
 * rare or their transactions took long.
 */
export async function removeOldEntries(db: WritableDatabase, table: string, max: number): Promise<number> {
  return db.$executeRawUnsafe(`
    DELETE FROM ${table} WHERE id = ANY (ARRAY(
      SELECT id FROM ${table}, (
        SELECT id AS last_id, at AS last_at FROM ${table} WHERE id < coalesce(
          (SELECT id FROM ${table} WHERE at > now() - interval '${retentionDays} days' ORDER BY id LIMIT 1),
          (SELECT max(id) + 1 FROM ${table})
        ) ORDER BY id DESC LIMIT 1
      ) AS kept WHERE id < last_id AND at < last_at - interval '1 hour'
      ORDER BY id LIMIT ${max} FOR UPDATE OF ${table}
    ))`);
}

/**
 * Removes entries of another server, which a restored dump contains: their transaction ids, which this server has not
 * reached yet, would count as changes at every poll.
 */
export async function removeForeignEntries(db: WritableDatabase, table: string, max: number): Promise<number> {
  return db.$executeRawUnsafe(`
    DELETE FROM ${table} WHERE xid = ANY (ARRAY(
      SELECT xid FROM ${table} WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) ORDER BY xid LIMIT ${max} FOR UPDATE
    ))`);
}
