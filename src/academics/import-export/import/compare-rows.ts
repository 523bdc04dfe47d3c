import { excerpt, fitted } from '@service/errors';
import type { Client } from 'pg';
import { listedBytesMax } from '../../record-change.ts';
import { withValues } from '../../sql/attributes.ts';
import {
  branchDefaults,
  type Column,
  type ComparedRecord,
  type Conflict,
  programDefaults,
  type RowProblem,
  valueColumns,
} from '../columns.ts';

/** A count, and a list of the first. */
export interface Capped<Item> {
  readonly total: number;
  readonly listed: readonly Item[];
}

export interface ChangedValue extends Pick<RowProblem, 'line' | 'message'> {
  readonly column: Column;
  readonly subject: 'Program' | 'Branch';
  readonly id: number;
  readonly name: string;
  readonly programName: string | null;
  readonly from: string;
  readonly to: string;
}

export interface RowComparison {
  /** Values of the file that are not used. */
  readonly conflicts: Capped<Conflict>;
  readonly changes: Capped<ChangedValue>;
}

interface DifferenceRow {
  readonly total: number;
  readonly is_change: boolean;
  readonly line: number;
  readonly subject: ChangedValue['subject'];
  readonly id: number | null;
  readonly name: string;
  readonly program_name: string | null;
  readonly column: Column;
  readonly given: string;
  readonly kept: string;
  /** `null` when the value of the database is used. */
  readonly kept_line: number | null;
}

/** Compares rows with what takes precedence: the record in the database, or with `update` the first row of a record. */
export async function compareRows(
  client: Client,
  {
    listedMax,
    update,
    keep,
  }: { readonly listedMax: number; readonly update: boolean; readonly keep: readonly Column[] },
): Promise<RowComparison> {
  const { rows } = await client.query<DifferenceRow>(
    `SELECT * FROM (
       SELECT *, count(*) OVER (PARTITION BY is_change)::integer AS total,
         row_number() OVER listed AS place, sum(octet_length(given) + octet_length(kept)) OVER listed AS bytes
       FROM (
         SELECT number, line, subject, id, name, program_name, "column", given, kept, CASE WHEN id IS NULL THEN first_line END AS kept_line,
           id IS NOT NULL AND ${update} AND NOT ${isKept} AS is_change
         FROM (${differing(programRows(update), valueColumns.program)}
           UNION ALL ${differing(branchRows(update), valueColumns.branch)}) compared
       ) different
       WINDOW listed AS (PARTITION BY is_change ORDER BY number, "column" ROWS UNBOUNDED PRECEDING)
     ) numbered
     WHERE place <= $1 AND bytes <= ${listedBytesMax}
     ORDER BY number, "column"`,
    [listedMax, keep],
  );
  const conflicts = rows.filter((row) => !row.is_change);
  const changes = rows.filter((row) => row.is_change);
  return {
    conflicts: { total: conflicts[0]?.total ?? 0, listed: conflicts.map(conflictOf) },
    changes: { total: changes[0]?.total ?? 0, listed: changes.flatMap(changedValueOf) },
  };
}

/** Whether the value of the database stays: by the name of the column, or of all attributes. */
const isKept = `("column" = ANY($2) OR "column" LIKE '%\\_attr:%' AND split_part("column", '_', 1) || '_attributes' = ANY($2))`;

/** SQL of rows that differ from the record that stays; missing columns do not count. OFFSET 0: a record is made once. */
const differing = (rows: string, columns: typeof valueColumns.program): string => `
  SELECT number, line, subject, id, (kept_record).name, program_name, first_line, lower(subject) || '_' || field AS "column",
    coalesce(value, '') AS given, coalesce(kept, '') AS kept
  FROM (${rows} OFFSET 0) AS compared CROSS JOIN LATERAL (
    SELECT field, row ->> field AS value, kept
    FROM (VALUES ${columns.map(keptValue).join(', ')}) AS of (field, kept) WHERE row ? field
    UNION ALL
    SELECT 'attr:' || key, value, (kept_record).attributes ->> key FROM jsonb_each_text(row -> 'attributes')
  ) AS given
  WHERE coalesce(value, '') <> coalesce(kept, '')`;

/** The years of a branch are no column of its table. */
const keptValue = ({ field, column }: (typeof valueColumns.program)[number]): string =>
  `('${column}', ${field === 'years' ? 'years' : `(kept_record).${column}`}::text)`;

/** SQL of each row with its existing record: of the database (`id`), else of the first row of the record. */
const programRows = (update: boolean): string => `
  SELECT s.number, s.line, 'Program' AS subject, p.id, NULL AS program_name, w.line AS first_line, s.program AS row,
    coalesce(p, ${withValues(`coalesce(existing, jsonb_populate_record(NULL::programs, ${programDefaults}))`, `coalesce(existing.attributes, '{}')`, 'w.given')}) AS kept_record
  FROM staged_rows s
  JOIN program_refs r USING (program_given_id, program_key, program_occurrence)
  JOIN wanted_programs w ON w.number = r.wanted
  LEFT JOIN programs existing ON existing.id = w.id
  LEFT JOIN programs p ON p.id = w.id AND (s.number = w.number OR NOT ${update})
  WHERE p.id IS NOT NULL OR s.program <> w.given`;

const branchRows = (update: boolean): string => `
  SELECT s.number, s.line, 'Branch' AS subject, b.id, p.name AS program_name, w.line AS first_line, s.branch AS row,
    coalesce(b, ${withValues(`coalesce(existing, jsonb_populate_record(NULL::branches, ${branchDefaults}))`, `coalesce(existing.attributes, '{}')`, 'w.given')}) AS kept_record,
    CASE WHEN b.id IS NULL AND (existing.id IS NULL OR w.given ? 'years') THEN w.years
      ELSE (SELECT count(*) FROM branch_years y WHERE y.branch_id = existing.id) END AS years
  FROM staged_rows s
  JOIN program_refs of_row USING (program_given_id, program_key, program_occurrence)
  JOIN wanted_programs p ON p.number = of_row.wanted
  JOIN branch_refs r USING (branch_given_id, branch_key, branch_occurrence)
  JOIN wanted_branches w ON w.number = r.wanted
  LEFT JOIN branches existing ON existing.id = w.id
  LEFT JOIN branches b ON b.id = w.id AND (s.number = w.number OR NOT ${update})
  WHERE r.program_number = p.number AND (b.id IS NOT NULL OR s.branch <> w.given)`;

function conflictOf({ line, column, subject, id, name, program_name: programName, ...found }: DifferenceRow): Conflict {
  const { given, kept, kept_line: keptLine } = found;
  const kind: ComparedRecord['kind'] = subject === 'Program' ? 'program' : 'branch';
  const source = keptLine === null ? 'in the database' : `on line ${keptLine}`;
  return {
    line,
    column,
    message: `${column} is ${quoted(given)} here but ${quoted(kept)} ${source}, which is kept.`,
    value: excerpt(given),
    kept: excerpt(kept),
    keptLine,
    record: { kind, id, name, programName },
  };
}

function changedValueOf({
  line,
  column,
  subject,
  id,
  name,
  program_name: programName,
  kept: from,
  given: to,
}: DifferenceRow): ChangedValue[] {
  if (id === null) return [];
  const message = `${column} of ${subject.toLowerCase()} ${id}: ${quoted(from)} becomes ${quoted(to)}.`;
  return [{ line, column, subject, id, name, programName, from, to, message }];
}

const charactersMax = 60;

/** Control characters and line separators that JSON does not escape. */
const unescaped = /[\u007f-\u009f\u2028\u2029]/g;

/** The beginning of a text in quotation marks, without anything that a terminal obeys. */
export function quoted(text: string): string {
  return JSON.stringify(fitted(text, charactersMax)).replace(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
