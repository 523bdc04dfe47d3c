// Counts of all programs or branches, at the same cost for any number. A count is kept in memory with its position in
// the change log; the next statement adds what the log has since, in its own snapshot, so it is exact beside the rest of
// that statement. It counts the rows when the log does not list all changes or no longer reaches back.

import { hasEntry, unreadEntries } from '@service/change-log/position';
import { type AnyTransaction, executorOf } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import { kinds, type RecordKind } from '../kinds.ts';

/** The last entry of the log then, which no other log has, and no log that was cut off after it. */
interface CountedIn {
  readonly snapshot: string;
  readonly id: number;
  readonly xid: string;
  readonly at: string;
}

interface Counted extends CountedIn {
  readonly count: number;
}

/** The columns of a statement that selects a total. */
export interface CountRow {
  readonly count: number;
  readonly countedIn: CountedIn | null;
}

export interface Total {
  readonly count: Prisma.Sql;
  /** The last count; with one, the statement is quick in a catalog of any size. */
  readonly last: number | undefined;
  /** Remembers the count for the next total, and returns it. */
  remember(row: CountRow | undefined): number;
}

/** Adding up more entries would take longer than to count. */
const entriesMax = 500;

const position = { snapshot: 'counted.snapshot', id: 'counted.id' };
const unread = Prisma.raw(unreadEntries('change_log', 'records', position, entriesMax + 1));
const isContinued = Prisma.raw(hasEntry('change_log', { id: 'counted.id', xid: 'counted.xid', at: 'counted.at' }));

/** Counts by connection pool. */
let counts = new WeakMap<object, Partial<Record<RecordKind, Counted>>>();

/** Forgets counts after a failover or a restore. */
export function forgetCounts(): void {
  counts = new WeakMap();
}

/** The total for a statement that is sent later; a transaction that it is part of must begin later, too. */
export function totalOf(db: AnyTransaction, kind: RecordKind): Total {
  const { connection } = executorOf(db);
  const counted = counts.get(connection)?.[kind];
  const { count = null, snapshot = null, id = null, xid = null, at = null } = counted ?? {};
  const table = Prisma.raw(kinds[kind].table);
  const record = Prisma.raw(`'${kinds[kind].logged}'`);
  return {
    last: counted?.count,
    count: Prisma.sql`coalesce((
      SELECT ${count}::int + added FROM (
        SELECT ${snapshot}::pg_snapshot AS snapshot, ${id}::bigint AS id, ${xid}::xid8 AS xid, ${at}::timestamptz AS at
      ) AS counted CROSS JOIN LATERAL (
        SELECT coalesce(sum((
          SELECT count(*) FILTER (WHERE action IN ('CREATE', 'RESTORE')) - count(*) FILTER (WHERE action = 'DELETE')
          FROM jsonb_to_recordset(records) AS record (kind text, action text) WHERE kind = ${record}
        )), 0)::int AS added FROM (${unread}) AS entry
        HAVING count(*) = count(records) AND count(*) <= ${Prisma.raw(`${entriesMax}`)}
      ) AS since WHERE ${isContinued}
    ), (SELECT count(*)::int FROM ${table} WHERE deleted_at IS NULL))`,
    remember: (row) => {
      if (row?.countedIn)
        counts.set(connection, { ...counts.get(connection), [kind]: { ...row.countedIn, count: row.count } });
      return row?.count ?? 0;
    },
  };
}

/** Nothing while the log has entries of another server, restored here, with transaction ids of the future. */
export const countedIn = Prisma.raw(`(
  SELECT json_build_object('snapshot', pg_current_snapshot()::text, 'id', id, 'xid', xid::text, 'at', at) FROM change_log
  WHERE (SELECT xid FROM change_log ORDER BY xid DESC LIMIT 1) < pg_snapshot_xmax(pg_current_snapshot())
  ORDER BY id DESC LIMIT 1)`);
