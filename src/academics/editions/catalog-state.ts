import type { Client } from 'pg';
import { Prisma } from '../../generated/prisma/client.ts';
import { problem } from '../../validation/problems.ts';
import { notFound, validationFailed } from '../../validation/validate.ts';
import { kinds, type RecordKind } from '../kinds.ts';
import type { CatalogPoint } from './points.ts';

/** The catalog at a point, in SQL. */
export interface CatalogState {
  readonly at: Date;
  /** Selects `kind` (`Program`, `Branch`), `id` and `snapshot`, as the audit log has it, of each record. */
  readonly records: Prisma.Sql;
}

/** SQL of the records of which a state tells: all, or those in the table of `noteTouched`. */
export type Among = 'all' | 'touched';

/**
 * Notes in a temporary table the records that have changed since an instant: between it and any later one, no other differs.
 * So a comparison of days costs what has changed, not what there is.
 */
export async function noteTouched(client: Client, since: Date): Promise<void> {
  await client.query('CREATE TEMPORARY TABLE touched (subject text, subject_id integer) ON COMMIT DROP');
  await client.query(
    `INSERT INTO touched SELECT DISTINCT subject, subject_id FROM audit_entries
      WHERE at > $1 AND subject IN ('Program', 'Branch')`,
    [since],
  );
  await client.query('ANALYZE touched');
}

/**
 * Finds the catalog at a point.
 * @param field the name of the point in a request, for errors.
 * @throws ServiceError `NOT_FOUND` for an edition that does not exist, `VALIDATION_FAILED` for an instant in the future
 *   or before the audit log.
 */
export async function stateAt(
  client: Client,
  point: CatalogPoint,
  field: string,
  among: Among = 'all',
): Promise<CatalogState> {
  if ('edition' in point) return ofEdition(client, point.edition);
  if ('now' in point) return { at: await clockOf(client), records: among === 'all' ? present : presentOfTouched };
  await requireLogged(client, point.at, field);
  return { at: point.at, records: asOf(point.at, among) };
}

interface BranchRows {
  readonly from: string;
  /** SQL of the number of years of each; counted one by one where it is absent. */
  readonly years?: string;
}

/** The present records that meet a condition. */
const presentWhere = (conditionOf: (kind: RecordKind) => string, { from, years }: BranchRows): string => `
  SELECT 'Program' AS kind, id, ${kinds.Program.snapshot('programs')} AS snapshot
  FROM programs WHERE deleted_at IS NULL AND ${conditionOf('Program')}
  UNION ALL
  SELECT 'Branch', id, ${kinds.Branch.snapshot('branches', years)}
  FROM ${from} WHERE deleted_at IS NULL AND ${conditionOf('Branch')}`;

/** The years of all branches are counted at once, which takes half of the time. */
const withCountedYears: BranchRows = {
  from: 'branches LEFT JOIN (SELECT branch_id, count(*) AS years FROM branch_years GROUP BY branch_id) AS counted ON branch_id = id',
  years: 'coalesce(years, 0)',
};

export const present = Prisma.raw(presentWhere(() => 'true', withCountedYears));

const isTouched = (kind: RecordKind): string => `id IN (SELECT subject_id FROM touched WHERE subject = '${kind}')`;

const presentOfTouched = Prisma.raw(
  presentWhere(isTouched, {
    from: `branches LEFT JOIN (
      SELECT branch_id, count(*) AS years FROM branch_years
      WHERE branch_id IN (SELECT subject_id FROM touched WHERE subject = 'Branch') GROUP BY branch_id
    ) AS counted ON branch_id = id`,
    years: 'coalesce(years, 0)',
  }),
);

const unchangedSince = (kind: RecordKind): string =>
  `NOT EXISTS (SELECT FROM later WHERE subject = '${kind}' AND subject_id = id)`;

const unchanged = Prisma.raw(presentWhere(unchangedSince, { from: 'branches' }));
const unchangedOfTouched = Prisma.raw(
  presentWhere((kind) => `${isTouched(kind)} AND ${unchangedSince(kind)}`, { from: 'branches' }),
);

/** What snapshots lack that were written before records had these fields. */
const whole = (snapshot: string) =>
  Prisma.raw(
    `CASE WHEN ${snapshot} ?& '{code,attributes}' THEN ${snapshot} ELSE '{"code": null, "attributes": {}}' || ${snapshot} END`,
  );

/**
 * Each record as it was before its first change after the instant, or else as it is. The first entries are found in the
 * index on `at`, and read one by one by their ids, in order: their neighbours are in the same pages. Few branches are left,
 * whose years are counted one by one.
 */
const asOf = (at: Date, among: Among) => Prisma.sql`
  WITH later AS MATERIALIZED (
    SELECT subject, subject_id, min(id) AS entry FROM audit_entries
    WHERE at > ${at} AND subject IN ('Program', 'Branch') GROUP BY subject, subject_id
  )
  SELECT subject AS kind, subject_id AS id, ${whole('before')} AS snapshot
  FROM (SELECT * FROM later ORDER BY entry) AS first
    CROSS JOIN LATERAL (SELECT before FROM audit_entries WHERE id = entry OFFSET 0) AS logged
  WHERE before IS NOT NULL
  UNION ALL
  ${among === 'all' ? unchanged : unchangedOfTouched}`;

const ofEdition = async (client: Client, name: string): Promise<CatalogState> => {
  const { rows } = await client.query<{ id: number; at: Date }>('SELECT id, at FROM editions WHERE name = $1', [name]);
  const [edition] = rows;
  if (edition === undefined) throw notFound('Edition', name);
  // Each line is parsed once, because of OFFSET 0.
  const records = Prisma.sql`
    SELECT initcap(line ->> 'kind') AS kind, (line ->> 'id')::int AS id, ${whole('line')} - '{kind,id}'::text[] AS snapshot
    FROM (
      SELECT string_to_table(rtrim(lines, E'\n'), E'\n')::jsonb AS line FROM edition_chunks
      WHERE edition_id = ${edition.id} OFFSET 0
    ) AS read
    WHERE line ->> 'kind' IN ('program', 'branch')`;
  return { at: edition.at, records };
};

async function clockOf(client: Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp()::timestamptz(3) AS now');
  return rows[0]?.now ?? new Date();
}

interface LogRow {
  readonly now: Date;
  /** The day to which old entries were removed, or the first entry; null when there is none. */
  readonly began: Date | null;
}

async function requireLogged(client: Client, at: Date, field: string): Promise<void> {
  const { rows } = await client.query<LogRow>(`
    SELECT clock_timestamp() AS now, coalesce(
      (SELECT max((after ->> 'before')::timestamptz) FROM audit_entries WHERE action = 'delete' AND subject = 'AuditLog'),
      (SELECT min(at) FROM audit_entries)
    ) AS began`);
  const [{ now, began } = { now: new Date(), began: null }] = rows;
  if (at > now) throw validationFailed({ [field]: [problem('FUTURE', { field })] });
  if (began === null || at < began) {
    const day = (began ?? now).toISOString();
    throw validationFailed({ [field]: [problem('BEFORE_THE_LOG', { field, day })] });
  }
}
