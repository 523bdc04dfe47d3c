import type { Client } from 'pg';
import type { Column, Problem } from './columns.ts';

/** Where a file says something else than what counts; told, and changing nothing. */
export interface Differences {
  readonly total: number;
  /** The first of them. */
  readonly listed: readonly Problem[];
}

interface Difference {
  readonly total: number;
  readonly line: number;
  readonly column: Column;
  readonly given: string;
  readonly kept: string;
  /** The line that counts; `null` when it is the record in the database. */
  readonly kept_line: number | null;
}

/** Finds the rows that contradict the record in the database, or the earlier row, that counts in their place. */
export async function findDifferences(client: Client, most: number): Promise<Differences> {
  const { rows } = await client.query<Difference>(
    `SELECT count(*) OVER ()::integer AS total, * FROM (
       SELECT s.line, d."column", d.given, d.kept, CASE WHEN w.id IS NULL THEN w.line END AS kept_line
       FROM staged_rows s
       JOIN wanted_programs w USING (program_key)
       LEFT JOIN programs p ON p.id = w.id
       CROSS JOIN LATERAL (VALUES
         ('program_name', s.program_name, coalesce(p.name, w.name)),
         ('program_duration', s.program_duration, coalesce(p.duration, w.duration))
       ) d ("column", given, kept)
       WHERE d.given <> d.kept
       UNION ALL
       SELECT s.line, d."column", d.given, d.kept, CASE WHEN w.id IS NULL THEN w.line END
       FROM staged_rows s
       JOIN wanted_programs p USING (program_key)
       JOIN wanted_branches w ON w.program_line = p.line AND w.name = s.branch_name
       LEFT JOIN branches b ON b.id = w.id
       CROSS JOIN LATERAL (VALUES
         ('branch_description', s.branch_description, coalesce(b.description, w.description)),
         ('branch_code_prefix', s.branch_code_prefix, coalesce(b.code_prefix, w.code_prefix)),
         ('branch_code_is_numeric', s.branch_code_is_numeric::text, coalesce(b.code_is_numeric, w.code_is_numeric)::text),
         ('branch_years', cardinality(s.year_codes)::text, CASE
           WHEN w.id IS NULL THEN cardinality(w.year_codes)
           ELSE (SELECT count(*) FROM branch_years y WHERE y.branch_id = w.id)
         END::text)
       ) d ("column", given, kept)
       WHERE (w.id IS NOT NULL OR s.line <> w.line) AND d.given <> d.kept
     ) different
     ORDER BY line, "column"
     LIMIT $1`,
    [most],
  );
  return {
    total: rows[0]?.total ?? 0,
    listed: rows.map(({ line, column, ...what }) => ({ line, column, message: message(column, what) })),
  };
}

function message(
  column: Column,
  { given, kept, kept_line: line }: Pick<Difference, 'given' | 'kept' | 'kept_line'>,
): string {
  const where = line === null ? 'in the database' : `on line ${line}`;
  return `${column} is ${shortened(given)} here but ${shortened(kept)} ${where}, which stays.`;
}

/** A text as it can stand in a line of output. */
function shortened(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text);
}
