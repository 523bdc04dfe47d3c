import type { Client } from 'pg';
import type { z } from 'zod';
import { branchFields, columnOf, type KindWord, kinds, programFields, tableOf } from '../../kinds.ts';
import { changedAttributes, withValues } from '../../sql/attributes.ts';
import { branchDefaults, programDefaults } from '../columns.ts';

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
    INSERT INTO changed
    SELECT 'Program' AS kind, id, (before).version,
      ${kinds.Program.snapshot('(before)')} AS before, ${kinds.Program.snapshot('(after)')} AS after
    FROM ${compared('programs', update)} AS program WHERE before *<> after
    UNION ALL
    SELECT 'Branch', id, (before).version,
      ${kinds.Branch.snapshot('(before)', 'old_years')}, ${kinds.Branch.snapshot('(after)', 'years')}
    FROM ${compared('branches', update)} AS branch
      CROSS JOIN LATERAL (SELECT count(*)::integer AS old_years FROM branch_years WHERE branch_id = branch.id) AS old
      CROSS JOIN LATERAL (SELECT coalesce((given ->> 'years')::integer, old_years) AS years) AS new
    WHERE before *<> after OR old_years <> years;
    ANALYZE changed (kind, id)`);
  return count(client);
}

/** The snapshot of a new record, in SQL, of its values by column. */
const snapshotOfNew = (fields: z.ZodObject, values: string): string =>
  `jsonb_build_object(${Object.keys(fields.shape).map((field) => `'${field}', ${values} -> '${columnOf(field)}'`)})`;

const withAttributes = `jsonb_build_object('attributes', ${changedAttributes(`'{}'::jsonb`, `given -> 'attributes'`)})`;

/** The new records of a kind, in SQL, each with its place: equal ones, by their numbers, take the places of their rows. */
function placed(kind: KindWord, key: string): string {
  const ranked = (columns: string, order: string) =>
    `SELECT ${columns}, row_number() OVER (PARTITION BY ${key} ORDER BY ${order}) AS rank
    FROM wanted_${tableOf(kind)} WHERE id IS NULL`;
  return `(${ranked('*', `${kind}_occurrence, number`)}) wanted
    JOIN (${ranked(`${key}, number AS place`, 'number')}) places USING (${key}, rank)`;
}

/** SELECT of the new programs, in SQL: `number` and `after`, in the order of the file, which an export then preserves. */
export const newPrograms = `SELECT number, ${snapshotOfNew(programFields, 'made')} AS after FROM (
    SELECT number, ${programDefaults} || given || ${withAttributes} AS made
    FROM ${placed('program', 'program_key')} ORDER BY place
  ) AS program`;

/**
 * SELECT of the new branches, likewise.
 * @param created a table of the programs that are created: `id` and `number`.
 */
export const newBranches = (
  created: string,
): string => `SELECT number, ${snapshotOfNew(branchFields, 'made')} || jsonb_build_object('years', years) AS after
  FROM (
    SELECT wanted.number, years, ${branchDefaults} || given || ${withAttributes}
      || jsonb_build_object('program_id', coalesce(wanted.program_id, created.id)) AS made
    FROM ${placed('branch', 'program_number, branch_key')}
      LEFT JOIN ${created} AS created ON created.number = program_number
    ORDER BY place
  ) AS branch`;

/**
 * Identifies what the import would create and change: the same as long as neither the file nor one of these records
 * differs.
 */
export async function importFingerprint(client: Client): Promise<string> {
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
