// Rejections of rows that are wrong only together with others, or with existing records.
import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import type { Client } from 'pg';
import { problem } from '../../../validation/problems.ts';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import { type KindWord, kindOf, kindWords } from '../../kinds.ts';
import { attributesMax } from '../../rules/attributes.ts';
import { changedAttributes, hasTooManyAttributes } from '../../sql/attributes.ts';
import { attributePrefixes, type Column, type RowProblem } from '../columns.ts';
import type { RejectedRow } from '../rejected-rows.ts';
import { type Capped, quoted } from './compare-rows.ts';
import type { Ids } from './matching/ids.ts';
import { changingKeys, unrepeatable } from './matching/unrepeatable.ts';
import { rowsOf } from './tables.ts';

/** Rows fetched at a time. */
const batchSize = 500;

interface Rejection {
  readonly rule: keyof typeof problems;
  readonly kind: KindWord;
  /** The id that the row names. */
  readonly given_id: number;
  readonly code: string | null;
  /** The record in the way. */
  readonly other_line: number | null;
  readonly other_id: number | null;
  readonly other_name: string | null;
}

/** A value that a definition refuses. */
interface Refused {
  readonly rule: 'refused';
  readonly doubt: Omit<RowProblem, 'line'>;
}

/** A code that is no code, of a record that has another. */
interface Doubted extends Pick<Rejection, 'kind' | 'code'> {
  readonly rule: 'doubted';
  readonly doubt: Problem;
}

const problems = {
  repeated: ({ kind, given_id: id, code, other_line: line }: Rejection) => {
    const [field, value] = id > 0 ? [`${kind}_id`, id] : [`${kind}_code`, quoted(code ?? '')];
    return problem('NAMED_TWICE', { field, value, line: line ?? 0 });
  },
  otherProgram: ({ given_id: id, other_id: program, other_name: name }: Rejection) =>
    problem('OF_OTHER_PROGRAM', { id, program: program ?? 0, name: quoted(name ?? '') }),
  unlike: ({ kind, given_id: id, other_name: name }: Rejection) =>
    problem('OF_OTHER_RECORD', { kind, id, name: quoted(name ?? '') }),
  contradictory: ({ kind, given_id: id, other_id: other, other_name: name }: Rejection) =>
    problem('HAS_OTHER_ID', { kind, id, name: quoted(name ?? ''), other: other ?? 0 }),
  newCodeElsewhere: ({ kind, code, other_line: line }: Rejection) => newCodeElsewhere(`${kind}_new_code`, code, line),
  codeNewElsewhere: ({ kind, code, other_line: line }: Rejection) => newCodeElsewhere(`${kind}_code`, code, line),
  noneBefore: ({ kind, code }: Rejection) =>
    problem('NO_OCCURRENCE_BEFORE', { field: `${kind}_occurrence`, value: code ?? '' }),
  newCodeOfEqual: ({ kind, code }: Rejection) =>
    problem('NUMBERS_CHANGE', { field: `${kind}_code`, value: quoted(code ?? '') }),
  newNameOfEqual: ({ kind, code }: Rejection) =>
    problem('NUMBERS_CHANGE', { field: `${kind}_name`, value: quoted(code ?? '') }),
  numberOfNamed: ({ kind, code }: Rejection) =>
    problem('NUMBERS_CHANGE', { field: `${kind}_occurrence`, value: code ?? '' }),
  ofNone: ({ kind, given_id: id }: Rejection) => problem('OF_NO_RECORD', { kind, id }),
  tooManyAttributes: ({ kind, other_id: id }: Rejection) =>
    problem('TOO_MANY_TOGETHER', { kind, id: id ?? 0, max: attributesMax }),
};

const newCodeElsewhere = (field: string, code: string | null, line: number | null) =>
  problem('NEW_CODE_ELSEWHERE', { field, value: quoted(code ?? ''), line: line ?? 0 });

/** The field of rules that are not of a code. */
const fields: Partial<Record<Rejection['rule'], string>> = {
  newCodeElsewhere: 'new_code',
  newNameOfEqual: 'name',
  noneBefore: 'occurrence',
  numberOfNamed: 'occurrence',
};

function problemOf(line: number, found: Rejection | Doubted | Refused): RowProblem {
  if (found.rule === 'refused') return { line, ...found.doubt };
  const value = found.code && excerpt(found.code);
  if (found.rule === 'doubted') return { line, column: `${found.kind}_code`, ...found.doubt, value };
  const { rule, kind, given_id: id } = found;
  const reason = problems[rule](found);
  if (rule === 'tooManyAttributes') return { line, column: null, ...reason, value: null };
  if (id > 0) return { line, column: `${kind}_id`, ...reason, value: String(id) };
  return { line, column: `${kind}_${fields[rule] ?? 'code'}`, ...reason, value };
}

/**
 * A row that would be lost in the record of another: with its code or id, but with another name. One that has the present
 * name of the record is not, beside one that renames it.
 */
const repeated = (kind: KindWord): string => `
  SELECT s.number, 'repeated' AS rule, '${kind}' AS kind, s.${kind}_given_id AS given_id, s.${kind}_code AS code,
    w.line AS other_line, NULL::integer AS other_id, NULL AS other_name, NULL::jsonb AS doubt
  FROM ${rowsOf[kind]}
  WHERE s.${kind} ->> 'name' <> w.name AND s.${kind} ->> 'name' IS DISTINCT FROM existing.name`;

/** A code that is probably none, which the record of the row's id does not have; one of an export is that of its catalog. */
const doubted = (kind: KindWord, table: string): string => `
  SELECT number, 'doubted', '${kind}', ${kind}_given_id, ${kind}_code, NULL, NULL, NULL, ${kind}_doubt
  FROM staged_rows s
  WHERE ${kind}_doubt IS NOT NULL AND NOT (is_exported AND ${kind}_given_id IS NOT DISTINCT FROM 0)
    AND NOT EXISTS (SELECT FROM ${table} known WHERE known.id = s.${kind}_given_id AND known.code = s.${kind}_code)`;

const rejected = `
  ${repeated('program')}
  UNION ALL ${repeated('branch')}
  UNION ALL ${unrepeatable('program')}
  UNION ALL ${unrepeatable('branch')}
  UNION ALL ${doubted('program', 'programs')}
  UNION ALL ${doubted('branch', 'branches')}
  UNION ALL
  SELECT s.number, 'otherProgram', 'branch', s.branch_given_id, NULL, NULL, p.id, p.name, NULL
  FROM branch_refs r JOIN branches b ON b.id = r.branch_given_id AND b.program_id IS DISTINCT FROM r.program_id
  JOIN programs p ON p.id = b.program_id
  JOIN program_refs of_row ON of_row.wanted = r.program_number
  JOIN staged_rows s USING (program_given_id, program_key, program_occurrence)
  WHERE s.branch_given_id = r.branch_given_id AND s.branch_key = r.branch_key AND s.branch_occurrence = r.branch_occurrence`;

/** A row that has the id of one record, and the code or name of another, or nothing of the record, or an id of none. */
const contradictory = (rules: string): string => `
  SELECT number, rule, kind, c.id, NULL, NULL, other_id,
    coalesce((SELECT name FROM programs WHERE kind = 'program' AND id = c.id),
      (SELECT name FROM branches WHERE kind = 'branch' AND id = c.id)), NULL
  FROM contradictions c WHERE rule IN (${rules})`;

/**
 * SQL of records with too many attributes. Only an update adds to the attributes of an existing record, by its first
 * row.
 */
const crowded = (kind: KindWord, table: string): string => `
  SELECT w.number, 'tooManyAttributes' AS rule, '${kind}' AS kind, 0 AS given_id, NULL AS code, NULL::integer AS other_line,
    w.id AS other_id, NULL AS other_name, NULL::jsonb AS doubt
  FROM wanted_${table} w JOIN ${table} existing USING (id)
  WHERE w.given ? 'attributes'
    AND ${hasTooManyAttributes(changedAttributes('existing.attributes', `w.given -> 'attributes'`))}`;

const refusedRow = (kind: KindWord, found: string): string =>
  `SELECT s.number, 'refused' AS rule, '${kind}' AS kind, 0 AS given_id, NULL AS code, NULL::integer AS other_line,
    NULL::integer AS other_id, NULL AS other_name, ${found} AS doubt FROM ${rowsOf[kind]}`;

/**
 * Values of a row that definitions refuse, of a new record or where the existing one would get them; what is required and
 * would be removed, in all rows that remove it.
 */
const refused = (kind: KindWord, update: boolean, keep: readonly Column[]): string => `
  ${refusedRow(kind, `refused -> 'found'`)} CROSS JOIN LATERAL jsonb_array_elements(s.${kind}_refused) AS one (refused)
  WHERE CASE WHEN refused ->> 'value' IS NULL
      THEN existing.attributes ? (refused ->> 'key')
        AND w.given -> 'attributes' -> (refused ->> 'key') = 'null'::jsonb AND ${update}
      ELSE existing.id IS NULL
        OR existing.attributes ->> (refused ->> 'key') IS DISTINCT FROM refused ->> 'value' AND ${update} END
    AND (existing.id IS NULL OR NOT ARRAY['${kind}_attributes', refused -> 'found' ->> 'column']
      && ARRAY[${keep.map((column) => `'${column}'`)}]::text[])`;

/** Rows of new records that lack what is required, and so does the row that the record gets its values from. */
function lacking(kind: KindWord, defined: DefinedAttributes): string[] {
  const required = defined.required(kindOf(kind)).map((key) => {
    const column = attributePrefixes[kind] + key;
    const found = { column, ...problem('REQUIRED_ATTRIBUTE', { field: column }), value: null };
    return `('${key}', '${JSON.stringify(found)}'::jsonb)`;
  });
  if (required.length === 0) return [];
  const hasNone = (values: string): string => `${values} -> 'attributes' ->> required.key IS NULL`;
  return [
    `${refusedRow(kind, 'required.found')} CROSS JOIN (VALUES ${required.join(', ')}) AS required (key, found)
    WHERE w.id IS NULL AND ${hasNone('w.given')} AND ${hasNone(`s.${kind}`)}`,
  ];
}

interface RejectionOptions {
  readonly client: Client;
  readonly ids: Ids;
  /** Whether ids are of this catalog, whatever else their rows have. */
  readonly ownIds: boolean;
  readonly listedMax: number;
  readonly update: boolean;
  readonly keep: readonly Column[];
  readonly defined: DefinedAttributes;
  /** Whether a row has values that the definitions refuse. */
  readonly hasRefused: boolean;
  readonly onRejected?: ((row: RejectedRow) => Promise<void>) | undefined;
}

export interface Rejections extends Capped<RowProblem> {
  readonly rows: number;
}

/** Finds rows that cannot be imported beside the others, after matching, and removes them from the stage. */
export const rejectRows = (options: RejectionOptions): Promise<Rejections> =>
  reject(
    options,
    [
      rejected,
      ...(options.ids === 'matched' ? [contradictory(options.ownIds ? "'ofNone'" : "'contradictory', 'unlike'")] : []),
      ...kindWords.flatMap((kind) => [
        changingKeys(kind),
        ...(options.hasRefused ? [refused(kind, options.update, options.keep)] : []),
        ...lacking(kind, options.defined),
      ]),
    ].join(' UNION ALL '),
    'DELETE FROM staged_rows USING rejected WHERE staged_rows.number = rejected.number',
  );

/** Finds records that would have too many attributes, and leaves these out, in all rows of the record. */
export const rejectAttributes = (options: RejectionOptions): Promise<Rejections> =>
  reject(
    options,
    `${crowded('program', 'programs')} UNION ALL ${crowded('branch', 'branches')}`,
    `UPDATE staged_rows s SET program = s.program - 'attributes'
     FROM program_refs r JOIN rejected ON rejected.number = r.wanted AND rejected.kind = 'program'
     WHERE (s.program_given_id, s.program_key, s.program_occurrence)
       = (r.program_given_id, r.program_key, r.program_occurrence);
     UPDATE staged_rows s SET branch = s.branch - 'attributes'
     FROM branch_refs r JOIN rejected ON rejected.number = r.wanted AND rejected.kind = 'branch'
     JOIN program_refs p ON p.wanted = r.program_number
     WHERE (s.program_given_id, s.program_key, s.program_occurrence, s.branch_given_id, s.branch_key, s.branch_occurrence)
       = (p.program_given_id, p.program_key, p.program_occurrence, r.branch_given_id, r.branch_key, r.branch_occurrence);
     UPDATE wanted_programs w SET given = given - 'attributes'
     FROM rejected WHERE rejected.number = w.number AND rejected.kind = 'program';
     UPDATE wanted_branches w SET given = given - 'attributes'
     FROM rejected WHERE rejected.number = w.number AND rejected.kind = 'branch'`,
  );

async function reject(
  { client, listedMax, onRejected }: RejectionOptions,
  query: string,
  repair: string,
): Promise<Rejections> {
  await client.query(`
    TRUNCATE rejected;
    INSERT INTO rejected SELECT DISTINCT ON (number, kind, doubt ->> 'column') * FROM (${query}) found
    ORDER BY number, kind DESC, doubt ->> 'column', rule;
    DECLARE rejected_rows NO SCROLL CURSOR FOR
    SELECT s.line, s.texts, found FROM (
      SELECT number, json_agg(rejected ORDER BY kind DESC, doubt ->> 'column') AS found FROM rejected GROUP BY number
    ) of_row JOIN staged_rows s USING (number) ORDER BY number`);
  const listed: RowProblem[] = [];
  let [total, count] = [0, 0];
  for (;;) {
    const { rows } = await client.query<{
      line: number;
      texts: readonly string[];
      found: readonly (Rejection | Doubted | Refused)[];
    }>(`FETCH ${batchSize} FROM rejected_rows`);
    if (rows.length === 0) break;
    for (const { line, texts, found } of rows) {
      const problems = found.map((one) => problemOf(line, one));
      total += problems.length;
      count += 1;
      listed.push(...problems.slice(0, listedMax - listed.length));
      await onRejected?.({ line, texts, problems });
    }
  }
  await client.query('CLOSE rejected_rows');
  if (total > 0) await client.query(repair);
  return { total, listed, rows: count };
}
