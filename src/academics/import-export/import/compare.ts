import type { Client } from 'pg';
import { withValues } from '../../sql/attributes.ts';

export interface Counts {
  readonly programs: { readonly created: number; readonly changed: number; readonly unchanged: number };
  readonly branches: { readonly created: number; readonly changed: number; readonly unchanged: number };
  readonly years: { readonly created: number; readonly changed: number; readonly removed: number };
  /** Rows that repeat the branch of an earlier row. */
  readonly repeated: number;
}

/** Collects the changes of matched records in temporary tables, which stay empty without `update`. */
export async function collectChanges(client: Client, update: boolean): Promise<Counts> {
  await client.query(`
    CREATE TEMP TABLE changed_programs ON COMMIT DROP AS
    SELECT * FROM (
      SELECT p.id, p.version, p AS before, ${withValues('p', 'p.attributes', 'w.given')} AS after
      FROM wanted_programs w JOIN programs p ON p.id = w.id
      WHERE ${update} OFFSET 0
    ) compared
    WHERE before <> after;

    CREATE TEMP TABLE changed_branches ON COMMIT DROP AS
    SELECT * FROM (
      SELECT b.id, b.version, b AS before, ${withValues('b', 'b.attributes', 'w.given')} AS after,
        old.years AS old_years, coalesce((w.given ->> 'years')::integer, old.years) AS years
      FROM wanted_branches w JOIN branches b ON b.id = w.id
      CROSS JOIN LATERAL (SELECT count(*)::integer AS years FROM branch_years y WHERE y.branch_id = b.id) old
      WHERE ${update} OFFSET 0
    ) compared
    WHERE before <> after OR old_years <> years;
    ANALYZE changed_programs (id);
    ANALYZE changed_branches (id)`);
  return count(client);
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
  | 'rows',
  number
>;

async function count(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counted>(`
    SELECT
      (SELECT count(*)::integer FROM wanted_programs) AS programs,
      (SELECT count(*)::integer FROM wanted_programs WHERE id IS NULL) AS "programsNew",
      (SELECT count(*)::integer FROM changed_programs) AS "programsChanged",
      (SELECT count(*)::integer FROM wanted_branches) AS branches,
      (SELECT count(*)::integer FROM wanted_branches WHERE id IS NULL) AS "branchesNew",
      (SELECT count(*)::integer FROM changed_branches) AS "branchesChanged",
      (SELECT coalesce(sum(years), 0)::integer FROM wanted_branches WHERE id IS NULL)
        + (SELECT coalesce(sum(greatest(years - old_years, 0)), 0)::integer FROM changed_branches) AS "yearsNew",
      (SELECT coalesce(sum(least(years, old_years)), 0)::integer FROM changed_branches
        WHERE ((before).code_prefix, (before).code_is_numeric) <> ((after).code_prefix, (after).code_is_numeric)) AS "yearsChanged",
      (SELECT coalesce(sum(greatest(old_years - years, 0)), 0)::integer FROM changed_branches) AS "yearsRemoved",
      (SELECT count(branch_key)::integer FROM staged_rows) AS rows`);
  const [found] = rows;
  if (found === undefined) throw new Error('A query that always has one row had none.');
  const { programs, programsNew, programsChanged, branches, branchesNew, branchesChanged } = found;
  return {
    programs: { created: programsNew, changed: programsChanged, unchanged: programs - programsNew - programsChanged },
    branches: { created: branchesNew, changed: branchesChanged, unchanged: branches - branchesNew - branchesChanged },
    years: { created: found.yearsNew, changed: found.yearsChanged, removed: found.yearsRemoved },
    repeated: found.rows - branches,
  };
}
