/** What decides the years of a branch (`docs/contract.md` 5), in SQL. */
const decisive = (snapshot: string): string =>
  `(${snapshot} -> 'years', ${snapshot} -> 'codePrefix', ${snapshot} -> 'codeIsNumeric')`;

interface Branches {
  /** Whether branches come to be, and whether others change. */
  readonly created: boolean;
  readonly changed: boolean;
}

/**
 * Common table expressions that write the years of the branches of a plan, with their codes: the prefix and a number or
 * letter. Of a changed branch the remaining years keep their ids. Empty for a plan without branches.
 * @param order makes them run after the branches, so that subscribers hear of a moved branch before its years.
 */
export function writeYears({ created, changed }: Branches, order: string): string {
  if (!created && !changed) return '';
  return `coded AS MATERIALIZED (
      SELECT id AS branch_id, is_new, (after ->> 'years')::int AS years, after ->> 'codePrefix' AS code_prefix,
        (after ->> 'codeIsNumeric')::boolean AS code_is_numeric
      FROM due WHERE kind = 'Branch' AND (is_new OR ${decisive('after')} <> ${decisive('before')}) ${order}
    ), numbered AS MATERIALIZED (
      SELECT branch_id, is_new, year,
        code_prefix || CASE WHEN code_is_numeric THEN year::text ELSE chr(ascii('A') + year - 1) END AS code
      FROM (SELECT *, generate_series(1, years) AS year FROM coded) AS counted
    ), ${changed ? changedYears : ''} added_years AS (
      INSERT INTO branch_years (branch_id, year, code) SELECT branch_id, year, code FROM numbered
      ${changed ? `WHERE NOT EXISTS (${existingYear})` : ''} ORDER BY is_new DESC, branch_id, year
    ),`;
}

const existingYear = `SELECT FROM branch_years AS existing
        WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year`;

const changedYears = `removed_years AS (
      DELETE FROM branch_years USING coded WHERE branch_years.branch_id = coded.branch_id AND year > years
    ), renamed_years AS (
      UPDATE branch_years AS existing SET code = numbered.code FROM numbered
      WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year AND existing.code <> numbered.code
    ),`;
