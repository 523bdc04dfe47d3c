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

/**
 * Finds the catalog at a point.
 * @param field the name of the point in a request, for errors.
 * @throws ServiceError `NOT_FOUND` for an edition that does not exist, `VALIDATION_FAILED` for an instant in the future
 *   or before the audit log.
 */
export async function stateAt(client: Client, point: CatalogPoint, field: string): Promise<CatalogState> {
  if ('edition' in point) return ofEdition(client, point.edition);
  if ('now' in point) return { at: await clockOf(client), records: present };
  await requireLogged(client, point.at, field);
  return { at: point.at, records: asOf(point.at) };
}

/**
 * Finds two states to compare. Of instants they have only the records that have changed since the earlier one, since no others
 * differ: a comparison of days costs what has changed, not what there is.
 * @throws ServiceError as `stateAt`.
 */
export async function statesToCompare(
  client: Client,
  from: CatalogPoint,
  to: CatalogPoint,
): Promise<readonly [CatalogState, CatalogState]> {
  const states = [await stateAt(client, from, 'from'), await stateAt(client, to, 'to')] as const;
  if ('edition' in from || 'edition' in to) return states;
  const since = new Date(Math.min(...states.map(({ at }) => at.getTime())));
  await client.query('CREATE TEMPORARY TABLE touched (subject text, subject_id integer, entry integer) ON COMMIT DROP');
  const { text, values } = firstEntriesAfter(since);
  await client.query(`INSERT INTO touched ${text}`, values);
  await client.query('ANALYZE touched');
  const touchedAt = (point: CatalogPoint, { at }: CatalogState): CatalogState => {
    if ('now' in point) return { at, records: presentOfTouched };
    return { at, records: at.getTime() === since.getTime() ? beforeEntriesOf('touched') : asOf(at, isTouched) };
  };
  return [touchedAt(from, states[0]), touchedAt(to, states[1])];
}

interface BranchRows {
  readonly from: string;
  /** SQL of the number of years of each; counted one by one where it is absent. */
  readonly years?: string;
}

/** The present records that meet a condition. */
const presentWhere = (conditionOf: Condition, { from, years }: BranchRows): string => `
  SELECT 'Program' AS kind, id, ${kinds.Program.snapshot('programs')} AS snapshot
  FROM programs WHERE deleted_at IS NULL AND ${conditionOf('Program')}
  UNION ALL
  SELECT 'Branch', id, ${kinds.Branch.snapshot('branches', years)}
  FROM ${from} WHERE deleted_at IS NULL AND ${conditionOf('Branch')}`;

type Condition = (kind: RecordKind) => string;

const touched: Condition = (kind) => `SELECT subject_id FROM touched WHERE subject = '${kind}'`;
const isTouched: Condition = (kind) => `id IN (${touched(kind)})`;
const always: Condition = () => 'true';

/** The years of all branches are counted at once, which takes half of the time. */
const withCountedYears = (ofBranches: string): BranchRows => ({
  from: `branches LEFT JOIN (
    SELECT branch_id, count(*) AS years FROM branch_years WHERE ${ofBranches} GROUP BY branch_id
  ) AS counted ON branch_id = id`,
  years: 'coalesce(years, 0)',
});

export const present = Prisma.raw(presentWhere(always, withCountedYears('true')));
const presentOfTouched = Prisma.raw(presentWhere(isTouched, withCountedYears(`branch_id IN (${touched('Branch')})`)));

/** What snapshots lack that were written before records had these fields. */
const whole = (snapshot: string) =>
  Prisma.raw(
    `CASE WHEN ${snapshot} ?& '{code,attributes}' THEN ${snapshot} ELSE '{"code": null, "attributes": {}}' || ${snapshot} END`,
  );

/** The first entry of each record after an instant, by the index on `at`. */
const firstEntriesAfter = (at: Date) => Prisma.sql`
  SELECT subject, subject_id, min(id) AS entry FROM audit_entries
  WHERE at > ${at} AND subject IN ('Program', 'Branch') GROUP BY subject, subject_id`;

/** What records were before these entries, which are read one by one by their ids, in order: neighbours are in the same pages. */
const beforeEntriesOf = (entries: 'later' | 'touched') => Prisma.sql`
  SELECT subject AS kind, subject_id AS id, ${whole('before')} AS snapshot
  FROM (SELECT * FROM ${Prisma.raw(entries)} ORDER BY entry) AS first
    CROSS JOIN LATERAL (SELECT before FROM audit_entries WHERE id = entry OFFSET 0) AS logged
  WHERE before IS NOT NULL`;

/**
 * Each record that meets a condition as it was before its first change after the instant, or else as it is. Few branches are
 * left as they are, whose years are counted one by one.
 */
const asOf = (at: Date, condition = always) => Prisma.sql`
  WITH later AS MATERIALIZED (${firstEntriesAfter(at)})
  ${beforeEntriesOf('later')}
  UNION ALL
  ${Prisma.raw(presentWhere((kind) => `${condition(kind)} AND ${unchangedSince(kind)}`, { from: 'branches' }))}`;

const unchangedSince: Condition = (kind) =>
  `NOT EXISTS (SELECT FROM later WHERE subject = '${kind}' AND subject_id = id)`;

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
