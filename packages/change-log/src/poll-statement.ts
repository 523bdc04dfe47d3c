import { z } from 'zod';
import { type ChangeLog, mark } from './change-log.ts';

/** When a poll finds more entries, everything counts as changed; subscribers read the entries from the log. */
export const entriesMax = 500;

/** SQL of what identifies a history of the database. */
export const historyParts = ({ table, loggedTables }: ChangeLog<object>): readonly string[] => [
  '(SELECT oid::text FROM pg_database WHERE datname = current_database())',
  ...[table, ...loggedTables].map((name) => `'${name}'::regclass::oid::text`),
];

/** More of it, which managed databases may deny. A promoted standby has a new timeline. */
export const deniableHistoryParts: readonly string[] = [
  '(SELECT system_identifier::text FROM pg_control_system())',
  'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END',
];

/** $1: the previous snapshot; $2 to $4: the last entry read; $5: whether to NOTIFY. */
export const pollStatement = (
  { table, columns, channel }: ChangeLog<object>,
  history: readonly string[],
): string => `SELECT
  pg_current_snapshot()::text AS snapshot, pg_is_in_recovery() AS "isStandby", concat_ws(' ', ${history.join(', ')}) AS history,
  EXISTS (SELECT FROM ${table} WHERE id = $2 AND xid = $3::xid8 AND at = $4::timestamptz) AS "isContinued",
  (SELECT json_build_object('id', id, 'xid', xid::text::bigint, 'at', at) FROM ${table} ORDER BY id DESC LIMIT 1) AS last,
  (SELECT coalesce(json_agg(entry ORDER BY id), '[]') FROM (
    (SELECT ${columns} FROM ${table} WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) ORDER BY ${table}.xid LIMIT ${entriesMax + 1})
    UNION ALL
    SELECT ${columns} FROM ${table} WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
  ) AS entry) AS entries,
  CASE WHEN $5::boolean THEN pg_notify('${channel}', '')::text END AS hinted`;

export const pollRow = <Content extends object>({ entries }: ChangeLog<Content>) =>
  z.object({
    snapshot: z.string(),
    isStandby: z.boolean(),
    history: z.string(),
    isContinued: z.boolean(),
    last: mark.nullable(),
    entries,
  });
