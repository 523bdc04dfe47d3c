import type { Client } from 'pg';
import { withValues } from '../../sql/attributes.ts';
import { branchSnapshot, programSnapshot } from '../../sql/writes/audit-snapshots.ts';

export interface Counts {
  readonly programs: { readonly created: number; readonly changed: number; readonly unchanged: number };
  readonly branches: { readonly created: number; readonly changed: number; readonly unchanged: number };
  readonly years: { readonly created: number; readonly changed: number; readonly removed: number };
  /** Valid rows beyond the first of each branch, and those without a branch beyond the first of each program. */
  readonly repeated: number;
}

const compared = (kind: 'programs' | 'branches', update: boolean): string => `(
    SELECT existing.id, existing AS before, ${withValues('existing', 'existing.attributes', 'given')} AS after, given
    FROM wanted_${kind} JOIN ${kind} AS existing USING (id) WHERE ${update} OFFSET 0
  )`;

/**
 * Collects the changes of matched records in a temporary table, in the form of a plan, with the versions that were
 * compared. Without `update` it stays empty.
 */
export async function collectChanges(client: Client, update: boolean): Promise<Counts> {
  await client.query(`
    CREATE TEMP TABLE changed ON COMMIT DROP AS
    SELECT 'Program' AS kind, id, (before).version,
      ${programSnapshot('(before)')} AS before, ${programSnapshot('(after)')} AS after
    FROM ${compared('programs', update)} AS program WHERE before <> after
    UNION ALL
    SELECT 'Branch', id, (before).version,
      ${branchSnapshot('(before)', 'old_years')}, ${branchSnapshot('(after)', 'years')}
    FROM ${compared('branches', update)} AS branch
      CROSS JOIN LATERAL (SELECT count(*)::integer AS old_years FROM branch_years WHERE branch_id = branch.id) AS old
      CROSS JOIN LATERAL (SELECT coalesce((given ->> 'years')::integer, old_years) AS years) AS new
    WHERE before <> after OR old_years <> years;
    ANALYZE changed (kind, id)`);
  return count(client);
}

/**
 * Identifies what the import would create and change: the same as long as neither the file nor one of these records
 * differs.
 */
export async function fingerprintOf(client: Client): Promise<string> {
  const hashOf = (values: string) => `sum(hashtextextended(concat_ws(' ', ${values}), 0))`;
  const wanted = `number, id, CASE WHEN id IS NULL THEN given END`;
  const { rows } = await client.query<{ readonly fingerprint: string }>(`
    SELECT md5(ROW(
      (SELECT ${hashOf('kind, id, before, after')} FROM changed),
      (SELECT ${hashOf(wanted)} FROM wanted_programs),
      (SELECT ${hashOf(`program_number, ${wanted}`)} FROM wanted_branches)
    )::text) AS fingerprint`);
  return rows[0]?.fingerprint ?? '';
}

type Counted = Record<
  | 'programs'
  | 'programsNew'
  | 'programsChanged'
  | 'branches'
  | 'branchesNew'
  | 'branchesChanged'
  | 'yearsNew'
  | 'yearsChanged'
  | 'yearsRemoved'
  | 'rowsOfPrograms'
  | 'rows',
  number
>;

async function count(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counted>(`
    SELECT
      (SELECT count(*)::integer FROM wanted_programs) AS programs,
      (SELECT count(*)::integer FROM wanted_programs WHERE id IS NULL) AS "programsNew",
      (SELECT count(*)::integer FROM changed WHERE kind = 'Program') AS "programsChanged",
      (SELECT count(*)::integer FROM wanted_branches) AS branches,
      (SELECT count(*)::integer FROM wanted_branches WHERE id IS NULL) AS "branchesNew",
      "branchesChanged",
      "yearsAdded" + (SELECT coalesce(sum(years), 0)::integer FROM wanted_branches WHERE id IS NULL) AS "yearsNew",
      "yearsChanged", "yearsRemoved",
      (SELECT count(DISTINCT wanted)::integer
        FROM staged_rows JOIN program_refs USING (program_given_id, program_key, program_occurrence)
        WHERE branch_key IS NULL) AS "rowsOfPrograms",
      (SELECT count(*)::integer FROM staged_rows) AS rows
    FROM (
      SELECT count(*)::integer AS "branchesChanged",
        coalesce(sum(greatest(years - old_years, 0)), 0)::integer AS "yearsAdded",
        coalesce(sum(least(years, old_years)) FILTER (WHERE is_renamed), 0)::integer AS "yearsChanged",
        coalesce(sum(greatest(old_years - years, 0)), 0)::integer AS "yearsRemoved"
      FROM (
        SELECT (before ->> 'years')::integer AS old_years, (after ->> 'years')::integer AS years,
          (before -> 'codePrefix', before -> 'codeIsNumeric') <> (after -> 'codePrefix', after -> 'codeIsNumeric') AS is_renamed
        FROM changed WHERE kind = 'Branch'
      ) AS branch
    ) AS changes`);
  const [found] = rows;
  if (found === undefined) throw new Error('A query that always has one row had none.');
  const { programs, programsNew, programsChanged, branches, branchesNew, branchesChanged } = found;
  return {
    programs: { created: programsNew, changed: programsChanged, unchanged: programs - programsNew - programsChanged },
    branches: { created: branchesNew, changed: branchesChanged, unchanged: branches - branchesNew - branchesChanged },
    years: { created: found.yearsNew, changed: found.yearsChanged, removed: found.yearsRemoved },
    repeated: found.rows - branches - found.rowsOfPrograms,
  };
}
