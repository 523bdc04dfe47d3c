import type { ErrorCode } from '@service/errors';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { Actor } from '../../../operations/caller.ts';
import { notFound } from '../../../validation/validate.ts';
import { attributesMax } from '../../rules/attributes.ts';
import { yearSuffixes } from '../../rules/year-codes.ts';
import { branchFields, columnOf, programFields } from '../columns.ts';
import { branchSnapshot, programSnapshot } from './audit-snapshots.ts';

export type RecordKind = 'Program' | 'Branch';

export type Table = 'programs' | 'branches';

/** Why a record cannot be changed, as the error of a mutation of this record alone would say. */
export interface RecordProblem {
  readonly kind: RecordKind;
  readonly id: number;
  /** The last name of a deleted record; null if it never existed. */
  readonly name: string | null;
  readonly code: ErrorCode;
  readonly message: string;
}

interface ProblemRow extends Pick<RecordProblem, 'kind' | 'id' | 'name'> {
  readonly reason: 'missing' | 'attributes' | 'parent' | 'changed' | 'branches';
  /** The missing program, when the reason is `parent`. */
  readonly programId: number | null;
}

function problemOf({ reason, programId, ...record }: ProblemRow): RecordProblem {
  const { kind, id } = record;
  if (reason === 'missing') {
    const { code, message } = notFound(kind, id);
    return { ...record, code, message };
  }
  if (reason === 'attributes') {
    const message = `${kind} ${id} would have more than ${attributesMax} attributes.`;
    return { ...record, code: 'VALIDATION_FAILED', message };
  }
  const messages = {
    parent: `Program ${programId} is deleted: restore it first.`,
    changed: `${kind} ${id} has been changed since.`,
    branches: `Program ${id} has other branches, which would be deleted with it.`,
  } as const;
  return { ...record, code: 'CONFLICT', message: messages[reason] };
}

/** What a plan changes or, in a dry run or with problems of an all-or-none plan, would change. */
export interface Applied {
  readonly programs: number;
  readonly branches: number;
  readonly problemCount: number;
  /** The first ones. */
  readonly problems: readonly RecordProblem[];
  /** The programs that change, themselves or in a branch. */
  readonly programIds: readonly number[];
}

interface AppliedRow extends Omit<Applied, 'problems'> {
  readonly problems: readonly ProblemRow[];
}

/**
 * SQL that says what to change, after the rows are locked. The common table expressions end with two:
 * `planned (kind, id, before, after)` has snapshots, null for a record that does not exist, and
 * `problem (kind, id, reason, "programId")`.
 */
export interface Plan {
  readonly ctes: string;
  readonly values: readonly unknown[];
}

interface ApplyOptions {
  /** A condition in SQL, which may ask for problems. */
  readonly condition: string;
  /** The tables that the plan changes, in the order in which subscribers are notified. */
  readonly tables: readonly Table[];
  readonly actor: Actor;
  readonly problemsMax: number;
}

/** Snapshots of the audit log, of a table with this name; null for a row that a join has not found. */
export const snapshotOf = {
  Program: (table: string): string => `CASE WHEN ${table}.id IS NOT NULL THEN ${programSnapshot(`${table}.`)} END`,
  Branch: (table: string): string => `CASE WHEN ${table}.id IS NOT NULL THEN ${branchSnapshot(`${table}.`)}
    || jsonb_build_object('years', (SELECT count(*) FROM branch_years WHERE branch_id = ${table}.id)) END`,
} as const;

/** The time of the database's clock after the locks, in whole milliseconds. */
const now = `date_trunc('milliseconds', statement_timestamp())`;

/** Writes the values of a snapshot, and what every change of a record sets (`docs/contract.md` 10). */
function write(kind: RecordKind, table: string, { shape }: typeof programFields | typeof branchFields): string {
  const values = Object.keys(shape).map((field) => `'${columnOf(field)}', coalesce(after, before) -> '${field}'`);
  return `UPDATE ${table} AS record SET
      ${Object.keys(shape)
        .map((field) => `${columnOf(field)} = wanted.${columnOf(field)}`)
        .join(', ')},
      version = record.version + CASE WHEN after IS NULL THEN 0 ELSE 1 END,
      updated_at = CASE WHEN after IS NULL THEN record.updated_at ELSE ${now} END,
      ${kind === 'Branch' ? 'deleted_with_program = after IS NULL AND record.program_id IN (SELECT id FROM deleted_programs),' : ''}
      deleted_at = CASE WHEN after IS NULL THEN ${now} END
    FROM due, jsonb_populate_record(NULL::${table}, jsonb_build_object(${values.join(', ')})) AS wanted
    WHERE kind = '${kind}' AND record.id = due.id`;
}

const writes = {
  programs: write('Program', 'programs', programFields),
  branches: write('Branch', 'branches', branchFields),
};

/** PostgreSQL runs common table expressions in any order, unless one reads another. */
const inOrder = (tables: readonly Table[]): string =>
  tables
    .map((table, place) =>
      place === 0
        ? `written AS (
        ${writes[table]} RETURNING 1
      )`
        : `written_next AS (
        ${writes[table]} AND (SELECT count(*) FROM written) >= 0
      )`,
    )
    .join(', ');

/** Writes what a plan says to records and to the audit log, in one statement, if the condition holds; then years. */
export async function applyPlan(
  tx: AnyTransaction,
  { ctes, values }: Plan,
  { condition, tables, actor, problemsMax }: ApplyOptions,
): Promise<Applied> {
  const parameter = (index: number): string => `$${values.length + index}`;
  const [applied] = await queryJson<AppliedRow>(tx, {
    ctes: `${ctes}, due AS MATERIALIZED (
        SELECT * FROM planned WHERE ${condition}
      ), deleted_programs AS MATERIALIZED (
        SELECT id FROM due WHERE kind = 'Program' AND after IS NULL
      ), ${inOrder(tables)}, noted AS (
        INSERT INTO audit_entries (actor, key_id, request_id, change_id, action, subject, subject_id, before, after)
        SELECT ${parameter(1)}::text, ${parameter(2)}::int, ${parameter(3)}::text, ${parameter(4)}::uuid,
          CASE WHEN before IS NULL THEN 'restore' WHEN after IS NULL THEN 'delete' ELSE 'update' END,
          kind, id, before, after
        FROM due ORDER BY kind DESC, id
      )`,
    text: `SELECT
        (SELECT count(*) FROM planned WHERE kind = 'Program') AS programs,
        (SELECT count(*) FROM planned WHERE kind = 'Branch') AS branches,
        (SELECT count(*) FROM problem) AS "problemCount",
        (SELECT coalesce(json_agg(listed), '[]') FROM (
          SELECT problem.*, CASE kind
            WHEN 'Program' THEN (SELECT name FROM programs WHERE programs.id = problem.id)
            ELSE (SELECT name FROM branches WHERE branches.id = problem.id) END AS name
          FROM problem ORDER BY kind DESC, id LIMIT ${parameter(5)}
        ) AS listed) AS problems,
        (SELECT coalesce(json_agg(id), '[]') FROM (
          SELECT id FROM planned WHERE kind = 'Program'
          UNION SELECT (before ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND before IS NOT NULL
          UNION SELECT (after ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND after IS NOT NULL
        ) AS touched) AS "programIds"`,
    values: [...values, actor.name, actor.keyId, actor.requestId, actor.changeId, problemsMax],
  });
  if (applied === undefined) throw new Error('A query that always has one row had none.');
  if (applied.branches > 0) await renumber(tx, actor.changeId);
  return { ...applied, problems: applied.problems.map(problemOf) };
}

/** After the branches, so that subscribers do not hear of years of a branch that has moved before they hear of that. */
async function renumber(tx: AnyTransaction, changeId: string): Promise<void> {
  await queryJson(tx, {
    ctes: `WITH renumbered AS MATERIALIZED (
        SELECT subject_id AS branch_id, (after ->> 'years')::int AS years, after ->> 'codePrefix' AS prefix,
          (after ->> 'codeIsNumeric')::boolean AS is_numeric
        FROM audit_entries
        WHERE change_id = $1::uuid AND subject = 'Branch'
          AND (after -> 'years', after -> 'codePrefix', after -> 'codeIsNumeric')
            <> (before -> 'years', before -> 'codePrefix', before -> 'codeIsNumeric')
      ), numbered AS MATERIALIZED (
        SELECT branch_id, year, prefix || suffix AS code
        FROM renumbered JOIN json_to_recordset($2::json) AS suffixes (is_numeric boolean, year int, suffix text)
          USING (is_numeric)
        WHERE year <= years
      ), removed AS (
        DELETE FROM branch_years USING renumbered WHERE branch_years.branch_id = renumbered.branch_id AND year > years
      ), renamed AS (
        UPDATE branch_years AS existing SET code = numbered.code FROM numbered
        WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year AND existing.code <> numbered.code
      ), added AS (
        INSERT INTO branch_years (branch_id, year, code)
        SELECT * FROM numbered
        WHERE NOT EXISTS (
          SELECT FROM branch_years AS existing
          WHERE existing.branch_id = numbered.branch_id AND existing.year = numbered.year
        )
        ORDER BY branch_id, year
      )`,
    text: 'SELECT',
    values: [changeId, yearSuffixes],
  });
}
