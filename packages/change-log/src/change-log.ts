import { queryJson } from '@service/postgres/sql';
import { z } from 'zod';
import { type Transaction, withDates } from '../../../src/database/types.ts';
import type { Branch, Program } from '../../../src/generated/prisma/client.ts';

const instant = z.string().transform((text) => new Date(text));

const programRow = z
  .object({
    id: z.int(),
    name: z.string(),
    duration: z.string(),
    code: z.string().nullable(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  })
  .transform(
    ({ created_at, updated_at, deleted_at, ...row }): Program =>
      withDates({ ...row, createdAt: created_at, updatedAt: updated_at, deletedAt: deleted_at }),
  );

const branchRow = z
  .object({
    id: z.int(),
    program_id: z.int(),
    name: z.string(),
    description: z.string(),
    code_prefix: z.string(),
    code_is_numeric: z.boolean(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
    deleted_with_program: z.boolean(),
  })
  .transform(
    ({ program_id, code_prefix, code_is_numeric, created_at, updated_at, deleted_at, deleted_with_program, ...row }) =>
      withDates({
        ...row,
        programId: program_id,
        codePrefix: code_prefix,
        codeIsNumeric: code_is_numeric,
        createdAt: created_at,
        updatedAt: updated_at,
        deletedAt: deleted_at,
        deletedWithProgram: deleted_with_program,
      }) satisfies Branch,
  );

const loggedFields = {
  /** `CREATED` includes restored records, `DELETED` both kinds of deletion. */
  action: z.enum(['CREATED', 'UPDATED', 'DELETED']),
  id: z.int(),
  programId: z.int(),
};

/** `removed` is the last version of a row that was hard-deleted; `columns` are those that an update changed. */
const loggedChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('PROGRAM'),
    ...loggedFields,
    removed: programRow.optional(),
    columns: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('BRANCH'), ...loggedFields, removed: branchRow.optional() }),
]);

export type LoggedChange = z.output<typeof loggedChange>;

export const mark = z.object({ id: z.int(), xid: z.int(), at: instant });

/** No other log has an entry with the same three values. */
type Mark = z.output<typeof mark>;

export const logEntries = z.array(
  mark.extend({
    /** In the order of the statements; `null` when there are too many to list. */
    records: z.array(loggedChange).nullable(),
    /** Changed themselves or in their branches; `null` when there are too many. */
    programs: z.array(z.int()).nullable(),
    access: z.boolean(),
  }),
);

/** The changes of one transaction. Of two that changed the same record, the first to commit has the smaller `id`. */
export type LogEntry = z.output<typeof logEntries>[number];

/** Everything visible in the snapshot has been read, in whatever order the transactions committed. */
export interface LogPosition {
  /** Changes after a failover or a restore from backup. */
  readonly history: string;
  /** `pg_current_snapshot()` as text. */
  readonly snapshot: string;
  /** The entry with the largest id that has been read. */
  readonly last: Mark;
}

export const entryColumns = `id, xid::text::bigint AS xid, at, records, programs, access`;

/** Entries visible in the snapshot `until` and not in `after`, from an id on. */
export interface LogWindow {
  readonly after: Pick<LogPosition, 'snapshot' | 'last'>;
  readonly until: string;
  readonly from: number;
}

const page = z.tuple([z.object({ isContinued: z.boolean(), entries: logEntries })]);

/** By id; `undefined` when some may have been removed by the cleanup, or `after.last` is not in this log. */
export async function readWindow(
  db: Transaction,
  { after: { snapshot, last }, until, from }: LogWindow,
  max: number,
): Promise<LogEntry[] | undefined> {
  // A transaction in progress at the snapshot may have written an id smaller than the last one read. Such transactions
  // are in the snapshot's list, or among the first after its xmax, of which there are no more than connections.
  const text = `SELECT
    EXISTS (SELECT FROM change_log WHERE id = $1 AND xid = $2::xid8 AND at = $3::timestamptz) AS "isContinued",
    (SELECT coalesce(json_agg(entry), '[]') FROM (
      SELECT ${entryColumns} FROM change_log
      WHERE id >= CASE WHEN $6::bigint > 0 THEN $6 ELSE least(
        $1::bigint,
        (SELECT min(id) FROM change_log WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($4::pg_snapshot)))),
        (SELECT min(id) FROM (
          SELECT id FROM change_log WHERE xid >= pg_snapshot_xmax($4::pg_snapshot) ORDER BY xid
          LIMIT current_setting('max_connections')::int + 1000
        ) AS next)
      ) END
      AND NOT pg_visible_in_snapshot(xid, $4::pg_snapshot) AND pg_visible_in_snapshot(xid, $5::pg_snapshot)
      AND (records IS NULL OR records <> '[]')
      ORDER BY id LIMIT $7
    ) AS entry) AS entries`;
  const values = [last.id, String(last.xid), last.at.toISOString(), snapshot, until, from, max];
  const [{ isContinued, entries }] = page.parse(await queryJson(db, { text, values }));
  return isContinued ? entries : undefined;
}

const removals = z.array(z.object({ records: z.array(loggedChange) }));

const removalsMax = 1_000;

export async function removedAfter(db: Transaction, id: number): Promise<LoggedChange[]> {
  const text = `SELECT records FROM (
      SELECT records FROM change_log WHERE id > $1 ORDER BY id LIMIT ${removalsMax}
    ) AS next WHERE jsonb_path_exists(records, '$[*].removed')`;
  const found = removals.parse(await queryJson(db, { text, values: [id] }));
  return found.flatMap(({ records }) => records.filter(({ removed }) => removed !== undefined));
}

/** Removes what is older than a day, except the last entry that all instances have read: it identifies the log. */
export function removeOldEntries(db: Transaction, max: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM change_log WHERE id IN (
      SELECT id FROM change_log WHERE id < least(
        (SELECT id FROM change_log WHERE at > now() - interval '24 hours' ORDER BY id LIMIT 1),
        (SELECT id FROM change_log WHERE at < now() - interval '1 minute' ORDER BY id DESC LIMIT 1)
      )
      ORDER BY id LIMIT ${max} FOR UPDATE
    )`;
}

/**
 * Removes entries of another server, which a restored dump contains: their transaction ids, which this server has not
 * reached yet, would count as changes at every poll.
 */
export function removeForeignEntries(db: Transaction, max: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM change_log WHERE xid = ANY (ARRAY(
      SELECT xid FROM change_log WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) ORDER BY xid LIMIT ${max} FOR UPDATE
    ))`;
}
