import { type AnyTransaction, queryJson } from '@service/postgres/sql';

/**
 * SELECT, in SQL, of the years of branches with their codes, the prefix and a number or letter (`docs/contract.md` 5):
 * `branch_id`, `year`, `code`, from a table with `branch_id`, `years`, `code_prefix`, `code_is_numeric`.
 */
export const yearsOf = (branches: string): string =>
  `SELECT branch_id, year, code_prefix || CASE WHEN code_is_numeric THEN year::text ELSE chr(ascii('A') + year - 1) END AS code
    FROM (
      SELECT branch_id, code_prefix, code_is_numeric, generate_series(1, years) AS year FROM ${branches}
    ) AS numbered`;

/** Begins a statement that writes years: a SELECT of their branch, number and code follows. */
export const addYears = 'INSERT INTO branch_years (branch_id, year, code)';

/**
 * Writes the years of the branches of a change, by its entries from one on; remaining years keep their ids. Runs after
 * the branches, so that subscribers hear of a moved branch before its years.
 */
export async function renumber(tx: AnyTransaction, changeId: string, firstEntry: number): Promise<void> {
  await queryJson(tx, {
    ctes: `WITH renumbered AS MATERIALIZED (
        SELECT subject_id AS branch_id, (after ->> 'years')::int AS years, after ->> 'codePrefix' AS code_prefix,
          (after ->> 'codeIsNumeric')::boolean AS code_is_numeric
        FROM audit_entries
        WHERE change_id = $1::uuid AND id >= $2::int AND subject = 'Branch'
          AND (after -> 'years', after -> 'codePrefix', after -> 'codeIsNumeric')
            <> (before -> 'years', before -> 'codePrefix', before -> 'codeIsNumeric')
      ), numbered AS MATERIALIZED (
        ${yearsOf('renumbered')}
      ), removed AS (
        DELETE FROM branch_years USING renumbered WHERE branch_years.branch_id = renumbered.branch_id AND year > years
      ), renamed AS (
        UPDATE branch_years AS existing SET code = numbered.code FROM numbered
        WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year AND existing.code <> numbered.code
      ), added AS (
        ${addYears} SELECT * FROM numbered
        WHERE NOT EXISTS (
          SELECT FROM branch_years AS existing
          WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year
        )
        ORDER BY branch_id, year
      )`,
    text: 'SELECT',
    values: [changeId, firstEntry],
  });
}
