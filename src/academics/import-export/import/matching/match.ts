// Matching, in SQL over all rows at once: what rows name (`refs`) gets the id of an existing record, or none and is created,
// first programs, then branches. A `key` says which records are equal, an `occurrence` numbers equal ones. References to
// one record are one that is `wanted`, with the values of its first row.
import { excerpt } from '@service/errors';
import type { Client } from 'pg';
import { problem } from '../../../../validation/problems.ts';
import { type KindWord, kindWords, tableOf } from '../../../kinds.ts';
import { attributePrefixes, attributesColumns, type Column, type RowProblem, valueColumns } from '../../columns.ts';
import type { Capped } from '../compare-rows.ts';
import { forgetMatches } from '../tables.ts';
import { matchBranches, wantBranches } from './branches.ts';
import { matchPrograms, wantPrograms } from './programs.ts';
import { pairBranches, pairPrograms } from './renamed.ts';

interface MatchOptions {
  /** Whether a new record is taken for the missing one in whose place it stands. */
  readonly renamed: boolean;
  /** Columns whose values of existing records stay. */
  readonly keep: readonly Column[];
}

/** Matches staged rows with existing records (`docs/contract.md` 11). The first row takes precedence in a conflict. */
export async function matchRows(client: Client, { renamed, keep }: MatchOptions): Promise<void> {
  await client.query(`
    ${forgetMatches};
    ANALYZE staged_rows (number, program_given_id, program_key, program_occurrence, branch_given_id, branch_key, branch_occurrence);
    ${matchPrograms}`);
  await pairPrograms(client, renamed);
  await client.query(`${wantPrograms}; ${matchBranches}`);
  await pairBranches(client, renamed);
  await client.query(wantBranches);
  if (keep.length === 0) return;
  for (const kind of kindWords) await client.query(keepValues(kind), keptOf(kind, keep));
}

/** Clears the kept values of existing records, as if the file did not have them. */
const keepValues = (kind: KindWord): string => `
  UPDATE wanted_${tableOf(kind)} SET given = CASE WHEN given ? 'attributes'
    THEN jsonb_set(given - $1::text[], '{attributes}', CASE WHEN $3 THEN '{}' ELSE (given -> 'attributes') - $2::text[] END)
    ELSE given - $1::text[] END
  WHERE id IS NOT NULL`;

/** Columns of the table, keys of attributes, and whether all attributes stay. */
function keptOf(kind: KindWord, keep: readonly Column[]): [string[], string[], boolean] {
  const prefix = attributePrefixes[kind];
  const columns = valueColumns[kind].filter(({ name }) => keep.includes(name)).map(({ column }) => column);
  const keys = keep.filter((column) => column.startsWith(prefix)).map((column) => column.slice(prefix.length));
  return [columns, keys, keep.includes(attributesColumns[kind])];
}

interface AmbiguousCodeRow {
  readonly line: number;
  readonly column: string;
  readonly code: string;
  readonly ids: readonly number[];
  readonly records: number;
  readonly total: number;
}

/** The first row of each code, of those without an id. */
const firstOf = (kind: 'programs' | 'branches', key: string): string =>
  `SELECT DISTINCT ON (${key}) * FROM wanted_${kind} WHERE code <> '' AND ${kind === 'programs' ? 'program' : 'branch'}_given_id = 0
   ORDER BY ${key}, number`;

/** Codes of the file that several records have, at their first row. */
export async function findAmbiguousCodes(client: Client, listedMax: number): Promise<Capped<RowProblem>> {
  const alike = `(array_agg(existing.id ORDER BY existing.id))[:${idsMax}] AS ids, count(*)::integer AS records`;
  const group = 'GROUP BY w.number, w.line, w.code HAVING count(*) > 1';
  const { rows } = await client.query<AmbiguousCodeRow>(
    `SELECT *, count(*) OVER ()::integer AS total FROM (
       SELECT w.number, w.line, 'program_code' AS "column", w.code, ${alike}
       FROM (${firstOf('programs', 'program_key')}) w JOIN programs existing USING (code)
       WHERE existing.deleted_at IS NULL ${group}
       UNION ALL
       SELECT w.number, w.line, 'branch_code', w.code, ${alike}
       FROM (${firstOf('branches', 'program_number, branch_key')}) w JOIN branches existing USING (program_id, code)
       WHERE existing.deleted_at IS NULL ${group}
     ) ambiguous
     ORDER BY number, "column" LIMIT $1`,
    [listedMax],
  );
  return { total: rows[0]?.total ?? 0, listed: rows.map(ambiguousCode) };
}

/** Ids that a message lists. */
const idsMax = 10;

function ambiguousCode({ line, column, code, ids, records }: AmbiguousCodeRow): RowProblem {
  const found = problem('SHARED_CODE', {
    field: column,
    code: JSON.stringify(excerpt(code)),
    count: records,
    records: column === 'program_code' ? 'programs' : 'branches',
    ids: ids.join(', '),
    more: records > ids.length ? ' and others' : '',
  });
  return { line, column, ...found, value: excerpt(code) };
}
