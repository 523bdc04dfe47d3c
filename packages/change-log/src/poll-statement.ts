import { z } from 'zod';
import { entryColumns, logEntries, mark } from './change-log.ts';

export const channel = 'academic_structure';
/** When a poll finds more entries, everything counts as changed; subscribers read the entries from the log. */
export const entriesMax = 500;

const databaseId = '(SELECT oid::text FROM pg_database WHERE datname = current_database())';
/** A restored backup has others. */
const tableIds = ['change_log', 'programs', 'branches', 'branch_years', 'users', 'api_keys'].map(
  (table) => `'${table}'::regclass::oid::text`,
);

/** SQL of what identifies a history of the database. */
export const historyParts: readonly string[] = [databaseId, ...tableIds];

/** More of it, which managed databases may deny. A promoted standby has a new timeline. */
export const deniableHistoryParts: readonly string[] = [
  '(SELECT system_identifier::text FROM pg_control_system())',
  'CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END',
];

/** $1: the previous snapshot; $2 to $4: the last entry read; $5: whether to NOTIFY. */
export const pollStatement = (history: readonly string[]): string => `SELECT
  pg_current_snapshot()::text AS snapshot, pg_is_in_recovery() AS "isStandby", concat_ws(' ', ${history.join(', ')}) AS history,
  EXISTS (SELECT FROM change_log WHERE id = $2 AND xid = $3::xid8 AND at = $4::timestamptz) AS "isContinued",
  (SELECT json_build_object('id', id, 'xid', xid::text::bigint, 'at', at) FROM change_log ORDER BY id DESC LIMIT 1) AS last,
  (SELECT coalesce(json_agg(entry ORDER BY id), '[]') FROM (
    (SELECT ${entryColumns} FROM change_log WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) ORDER BY change_log.xid LIMIT ${entriesMax + 1})
    UNION ALL
    SELECT ${entryColumns} FROM change_log WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
  ) AS entry) AS entries,
  CASE WHEN $5::boolean THEN pg_notify('${channel}', '')::text END AS hinted`;

export const pollRow = z.object({
  snapshot: z.string(),
  isStandby: z.boolean(),
  history: z.string(),
  isContinued: z.boolean(),
  last: mark.nullable(),
  entries: logEntries,
});
