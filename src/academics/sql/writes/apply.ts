import type { ErrorCode } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../../accounts/audit/audit.ts';
import type { Actor } from '../../../operations/caller.ts';
import { problem } from '../../../validation/problems.ts';
import { attributesMax } from '../../rules/attributes.ts';
import { branchFields, columnOf, programFields } from '../columns.ts';
import { renumber } from './years.ts';

export type RecordKind = 'Program' | 'Branch';

export type Table = 'programs' | 'branches';

/** Why a record cannot be changed, as the error of a mutation of this record alone would say. */
export interface RecordProblem extends Problem {
  readonly kind: RecordKind;
  readonly id: number;
  /** The last name of a deleted record; null if it never existed. */
  readonly name: string | null;
  readonly code: ErrorCode;
}

interface ProblemRow extends Pick<RecordProblem, 'kind' | 'id' | 'name'> {
  readonly reason: 'missing' | 'attributes' | 'parent' | 'changed' | 'branches';
  /** The missing program, when the reason is `parent`. */
  readonly programId: number | null;
}

function problemOf({ reason, programId, ...record }: ProblemRow): RecordProblem {
  const { kind, id } = record;
  switch (reason) {
    case 'missing':
      return { ...record, code: 'NOT_FOUND', ...problem('MISSING', { kind, id }) };
    case 'attributes':
      return {
        ...record,
        code: 'VALIDATION_FAILED',
        ...problem('TOO_MANY_ATTRIBUTES', { kind, id, max: attributesMax }),
      };
    case 'parent':
      return { ...record, code: 'CONFLICT', ...problem('PARENT_DELETED', { id: programId ?? 0 }) };
    case 'changed':
      return { ...record, code: 'CONFLICT', ...problem('CHANGED_SINCE', { kind, id }) };
    case 'branches':
      return { ...record, code: 'CONFLICT', ...problem('HAS_OTHER_BRANCHES', { id }) };
  }
}

/** Changes of a plan; of a dry run, or with problems of an all-or-none plan, those that it would make. */
export interface Applied {
  readonly programs: number;
  readonly branches: number;
  readonly problemCount: number;
  /** The first ones. */
  readonly problems: readonly RecordProblem[];
  /** The programs that change, themselves or in a branch. */
  readonly programIds: readonly number[];
  /** Of the records as they were and will be; `null` unless it was asked for. */
  readonly fingerprint: string | null;
}

interface AppliedRow extends Omit<Applied, 'problems'> {
  readonly problems: readonly ProblemRow[];
  /** The first entry of a branch in the audit log; null when none was written. */
  readonly firstOfBranches: number | null;
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
  /** A condition in SQL, which may ask for problems, and for the fingerprint in `identified`. */
  readonly condition: string;
  readonly withFingerprint?: boolean;
  /** Tables that the plan changes, in the order in which subscribers are notified. */
  readonly tables: readonly Table[];
  readonly actor: Actor;
  readonly problemsMax: number;
}

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

/** Carries out a plan if the condition holds: writes records and audit log in one statement, then years. */
export async function applyPlan(
  tx: AnyTransaction,
  { ctes, values }: Plan,
  { condition, withFingerprint = false, tables, actor, problemsMax }: ApplyOptions,
): Promise<Applied> {
  const [applied] = await queryJson<AppliedRow>(tx, {
    ctes: `${ctes}, identified AS (
        SELECT md5(string_agg(md5(planned::text), '' ORDER BY kind, id)) AS fingerprint FROM planned
      ), due AS MATERIALIZED (
        SELECT * FROM planned WHERE ${condition}
      ), deleted_programs AS MATERIALIZED (
        SELECT id FROM due WHERE kind = 'Program' AND after IS NULL
      ), ${inOrder(tables)}, noted AS (
        ${noteEntries} SELECT ${actorFrom(values.length + 1)},
          CASE WHEN before IS NULL THEN 'restore' WHEN after IS NULL THEN 'delete' ELSE 'update' END, kind, id, before, after
        FROM due ORDER BY kind DESC, id RETURNING id, subject
      )`,
    text: `SELECT
        (SELECT min(id) FROM noted WHERE subject = 'Branch') AS "firstOfBranches",
        (SELECT count(*) FROM planned WHERE kind = 'Program') AS programs,
        (SELECT count(*) FROM planned WHERE kind = 'Branch') AS branches,
        (SELECT count(*) FROM problem) AS "problemCount",
        ${withFingerprint ? '(SELECT fingerprint FROM identified)' : 'NULL'} AS fingerprint,
        (SELECT coalesce(json_agg(listed), '[]') FROM (
          SELECT problem.*, CASE kind
            WHEN 'Program' THEN (SELECT name FROM programs WHERE programs.id = problem.id)
            ELSE (SELECT name FROM branches WHERE branches.id = problem.id) END AS name
          FROM problem ORDER BY kind DESC, id LIMIT $${values.length + 6}
        ) AS listed) AS problems,
        (SELECT coalesce(json_agg(id), '[]') FROM (
          SELECT id FROM planned WHERE kind = 'Program'
          UNION SELECT (before ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND before IS NOT NULL
          UNION SELECT (after ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND after IS NOT NULL
        ) AS touched) AS "programIds"`,
    values: [...values, ...actorValues(actor), problemsMax],
  });
  if (applied === undefined) throw new Error('A query that always has one row had none.');
  const { firstOfBranches, problems, ...counts } = applied;
  if (firstOfBranches !== null) await renumber(tx, actor.changeId, firstOfBranches);
  return { ...counts, problems: problems.map(problemOf) };
}

/** Notes the summary of a change of many records, after its entries. */
export async function noteSummary(
  tx: AnyTransaction,
  actor: Actor,
  action: 'import' | 'undo',
  summary: object,
): Promise<void> {
  await queryJson(tx, {
    ctes: `WITH noted AS (${noteEntries} SELECT ${actorFrom(1)}, $6::text, 'Catalog', NULL, NULL, $7::jsonb)`,
    text: 'SELECT',
    values: [...actorValues(actor), action, JSON.stringify(summary)],
  });
}
