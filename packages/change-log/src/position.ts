import { z } from 'zod';

export const mark = z.object({ id: z.int(), xid: z.int(), at: z.string().transform((text) => new Date(text)) });

/** No other log has an entry with the same three values. */
export type Mark = z.output<typeof mark>;

/** The mark of no entry, in any log. */
export const noMark: Mark = { id: 0, xid: 0, at: new Date(0) };

/**
 * A place in the log. What has been read there is visible in the snapshot, *and* its id is at most that of the last
 * entry. Neither says it alone:
 * - Of two transactions the one with the smaller id may commit later, and be read later; the snapshot tells them apart.
 * - After a crash PostgreSQL gives a transaction id again if nothing of its first owner was flushed, as of a NOTIFY: what
 *   is then committed under it is visible in a snapshot from before. It has a larger id than all entries from before,
 *   since a committed entry has flushed its sequence. So none of these is left unread, and none is read twice.
 */
export interface LogPosition {
  /** Changes after a failover or a restore from backup. */
  readonly history: string;
  /** `pg_current_snapshot()` as text. */
  readonly snapshot: string;
  /** The entry with the largest id that has been read. */
  readonly last: Mark;
}

/** Whether an entry has been read at a position. */
export function hasRead({ snapshot, last }: LogPosition, { id, xid }: Pick<Mark, 'id' | 'xid'>): boolean {
  const [, xmax = 0, ...running] = numbersOf(snapshot);
  return id <= last.id && xid < xmax && !running.includes(xid);
}

/** The text of a `pg_snapshot` is `xmin:xmax:xid,xid`. */
export function numbersOf(snapshot: string): number[] {
  return snapshot.split(/[:,]/).filter(Boolean).map(Number);
}

/** SQL expressions of a position; null without one. */
interface PositionSql {
  readonly snapshot: string;
  readonly id: string;
}

/** SQL of `hasRead`. */
export const wasRead = ({ snapshot, id }: PositionSql): string =>
  `(id <= ${id} AND pg_visible_in_snapshot(xid, ${snapshot}))`;

/**
 * SQL: selects columns of the entries that have not been read at a position, in any order; of more than `max` entries
 * at least `max`. It reads no more of a log of any length than that.
 */
export const unreadEntries = (table: string, columns: string, { snapshot, id }: PositionSql, max: number): string => `
  (SELECT ${columns} FROM ${table} WHERE xid >= pg_snapshot_xmax(${snapshot}) ORDER BY ${table}.xid LIMIT ${max})
  UNION ALL
  SELECT ${columns} FROM ${table} WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip(${snapshot})))
  UNION ALL
  SELECT ${columns} FROM (SELECT * FROM ${table} WHERE id > ${id} ORDER BY id LIMIT ${max}) AS next
  WHERE pg_visible_in_snapshot(xid, ${snapshot})`;

/** SQL: whether the log has the entry of a mark. */
export const hasEntry = (table: string, { id, xid, at }: Readonly<Record<keyof Mark, string>>): string =>
  `EXISTS (SELECT FROM ${table} WHERE id = ${id} AND xid = ${xid} AND at = ${at})`;
