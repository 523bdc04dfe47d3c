import { type AnyTransaction, firstRows, queryJson } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../../accounts/audit/audit.ts';
import type { Actor } from '../../../operations/caller.ts';
import { columnsOf, kinds, type RecordKind, type Table } from '../../kinds.ts';
import { type ChangedRecord, listedBytesMax } from '../../record-change.ts';
import { type ProblemRow, type RecordProblem, recordProblemOf } from './record-problems.ts';
import { type Refusal, refusedRecords } from './refusals.ts';
import { writeYears } from './years.ts';

/** What a plan does, in the order in which subscribers are notified. */
export type Step = `${'create' | 'change'} ${Table}`;

/**
 * SQL that says what comes of which record, once those that exist are locked. The common table expressions end with two:
 * `planned (kind, id, is_new, before, after)` has snapshots: without `before` a new record comes to be, another one is
 * restored; without `after` it goes; and `problem (kind, id, reason, details)`.
 */
export interface Plan {
  readonly ctes: string;
  readonly values: readonly unknown[];
  readonly steps: readonly Step[];
}

/** Who changes the catalog, in which transaction, and what they must not set. */
export interface ChangeContext {
  readonly tx: AnyTransaction;
  readonly actor: Actor;
  /** Values that the definitions refuse. Without any, the statement is the same as if nothing were defined. */
  readonly refusals: readonly Refusal[];
}

interface ApplyOptions {
  /** `unless refused`: all or nothing; `never`: a dry run; `always`: the plan has left out what it cannot do. */
  readonly when: 'unless refused' | 'never' | 'always';
  /** Carries out only the plan with this fingerprint. */
  readonly fingerprint?: string | undefined;
  readonly withFingerprint?: boolean;
  readonly withPrograms?: boolean;
  /** Returns the first records with their old and new values, of a plan that is not carried out. */
  readonly withChanges?: boolean;
  /** Returns the new records of a kind: the columns of a SELECT. */
  readonly created?: { readonly kind: RecordKind; readonly selection: string };
  readonly problemsMax: number;
  /** A plan whose text is always the same is prepared under this name. */
  readonly name?: string;
}

/** Changes of a plan; of a dry run, or with problems of an all-or-none plan, those that it would make. */
export interface Applied<New = never> {
  readonly programs: number;
  readonly branches: number;
  readonly problemCount: number;
  /** The first ones. */
  readonly problems: readonly RecordProblem[];
  /** The programs that change, themselves or in a branch; empty unless they were asked for. */
  readonly programIds: readonly number[];
  /** Of the records as they were and will be; `null` unless it was asked for. */
  readonly fingerprint: string | null;
  /** The first records that would change; empty unless they were asked for, and once they have changed. */
  readonly changes: readonly ChangedRecord[];
  /** The new records that were asked for, by id. */
  readonly created: readonly New[];
}

interface AppliedRow<New> extends Omit<Applied<New>, 'problems'> {
  readonly problems: readonly ProblemRow[];
}

/** The time of the database's clock after the locks, in whole milliseconds. */
const now = `date_trunc('milliseconds', statement_timestamp())`;

/** `created_at` is not the beginning of the transaction: a client that polls with `createdSince` would miss the record. */
function creation(kind: RecordKind): string {
  const { table, fields } = kinds[kind];
  const columns = columnsOf(fields);
  return `INSERT INTO ${table} (id, ${columns.map(({ column }) => column).join(', ')}, created_at, updated_at)
    SELECT id, ${columns.map((one) => one.in('after')).join(', ')}, ${now}, ${now} FROM due
    WHERE kind = '${kind}' AND is_new`;
}

/** Writes the values of a snapshot, and what every change of a record sets (`docs/contract.md` 10). */
function update(kind: RecordKind): string {
  const { table, fields } = kinds[kind];
  return `UPDATE ${table} AS record SET
      ${columnsOf(fields)
        .map((one) => `${one.column} = ${one.in('state')}`)
        .join(', ')},
      version = record.version + CASE WHEN after IS NULL THEN 0 ELSE 1 END,
      updated_at = CASE WHEN after IS NULL THEN record.updated_at ELSE ${now} END,
      ${kind === 'Branch' ? `deleted_with_program = after IS NULL AND record.program_id IN (SELECT id FROM due WHERE kind = 'Program' AND after IS NULL),` : ''}
      deleted_at = CASE WHEN after IS NULL THEN ${now} END
    FROM (SELECT id, kind, is_new, after, coalesce(after, before) AS state FROM due) AS due
    WHERE due.kind = '${kind}' AND NOT due.is_new AND record.id = due.id`;
}

const statements: Readonly<Record<Step, string>> = {
  'create programs': creation('Program'),
  'create branches': creation('Branch'),
  'change programs': update('Program'),
  'change branches': update('Branch'),
};

const named = (step: Step): string => step.replace(' ', '_');

/** PostgreSQL runs common table expressions in any order, unless one reads another: each reads the one before. */
const after = (step: Step | undefined): string =>
  step === undefined ? '' : `AND (SELECT count(*) FROM ${named(step)}) >= 0`;

const inOrder = (steps: readonly Step[], returned: string): string =>
  steps
    .map((step, place) => {
      const order = step.startsWith('create') ? 'ORDER BY id' : '';
      return `${named(step)} AS (${statements[step]} ${after(steps[place - 1])} ${order} RETURNING ${returned})`;
    })
    .join(', ');

const yearsOf = (steps: readonly Step[]): string =>
  writeYears(
    { created: steps.includes('create branches'), changed: steps.includes('change branches') },
    after(steps.at(-1)),
  );

/** Carries out a plan: one statement judges it, writes the records with the years of branches, and notes it all. */
export async function applyPlan<New = never>(
  { tx, actor, refusals }: ChangeContext,
  { ctes, values, steps }: Plan,
  options: ApplyOptions,
): Promise<Applied<New>> {
  const { when, fingerprint, withFingerprint = false, withPrograms = false, withChanges = false } = options;
  const { created, problemsMax, name } = options;
  const parameters: unknown[] = [...values, ...actorValues(actor), problemsMax];
  const next = (value: unknown): string => `$${parameters.push(value)}`;
  const hasRefusals = refusals.length > 0;
  const refusedByDefinitions = hasRefusals ? refusedRecords(next(JSON.stringify(refusals))) : '';
  const conditions = [
    { 'unless refused': 'NOT EXISTS (SELECT FROM refused)', never: 'false', always: 'true' }[when],
    ...(fingerprint === undefined ? [] : [`(SELECT fingerprint FROM identified) = ${next(fingerprint)}`]),
  ];
  const [applied] = await queryJson<AppliedRow<New>>(tx, {
    ...(name !== undefined && !hasRefusals && { name }),
    ctes: `${ctes}, ${
      hasRefusals
        ? `refused AS MATERIALIZED (SELECT * FROM problem UNION ALL ${refusedByDefinitions})`
        : 'refused AS NOT MATERIALIZED (SELECT * FROM problem)'
    }, identified AS (
        SELECT md5(string_agg(md5(planned::text), '' ORDER BY kind, id)) AS fingerprint FROM planned
      ), due AS MATERIALIZED (
        SELECT * FROM planned WHERE ${conditions.join(' AND ')}
      ), ${inOrder(steps, created === undefined ? '1' : '*')}, ${yearsOf(steps)} noted AS (
        ${noteEntries} SELECT ${actorFrom(values.length + 1)}, CASE WHEN is_new THEN 'create'
          WHEN before IS NULL THEN 'restore' WHEN after IS NULL THEN 'delete' ELSE 'update' END, kind, id, before, after
        FROM due ORDER BY kind COLLATE "C" DESC, is_new DESC, id
      )`,
    text: `SELECT
        (SELECT count(*) FROM planned WHERE kind = 'Program') AS programs,
        (SELECT count(*) FROM planned WHERE kind = 'Branch') AS branches,
        (SELECT count(*) FROM refused) AS "problemCount",
        ${withFingerprint ? '(SELECT fingerprint FROM identified)' : 'NULL'} AS fingerprint,
        ${created === undefined ? `'[]'::json` : newRecords(created)} AS created,
        (SELECT coalesce(json_agg(listed), '[]') FROM (
          SELECT refused.*, CASE kind
            WHEN 'Program' THEN (SELECT name FROM programs WHERE programs.id = refused.id)
            ELSE (SELECT name FROM branches WHERE branches.id = refused.id) END AS name
          FROM refused ORDER BY kind DESC, id LIMIT $${values.length + 6}
        ) AS listed) AS problems,
        ${withChanges ? changes : `'[]'::json`} AS changes,
        ${withPrograms ? programs : `'[]'::json`} AS "programIds"`,
    values: parameters,
  });
  if (applied === undefined) throw new Error('A query that always has one row had none.');
  return { ...applied, problems: applied.problems.map(recordProblemOf) };
}

const programs = `(SELECT coalesce(json_agg(id), '[]') FROM (
    SELECT id FROM planned WHERE kind = 'Program'
    UNION SELECT (before ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND before IS NOT NULL
    UNION SELECT (after ->> 'programId')::int FROM planned WHERE kind = 'Branch' AND after IS NOT NULL
  ) AS touched)`;

/** A response stays small, though the branches of programs, or an import, may be many. */
const changesMax = 1_000;

const changes = firstRows(
  `SELECT kind, id, before, after, before IS NULL AND NOT is_new AS "isRestored", CASE kind WHEN 'Branch' THEN (
      SELECT name FROM programs WHERE programs.id = (coalesce(after, before) ->> 'programId')::int
    ) END AS "programName"
    FROM planned WHERE NOT EXISTS (SELECT FROM due) ORDER BY kind DESC, id LIMIT ${changesMax}`,
  listedBytesMax,
);

const newRecords = ({ kind, selection }: { readonly kind: RecordKind; readonly selection: string }): string =>
  `(SELECT coalesce(json_agg(record ORDER BY id), '[]') FROM (
    SELECT ${selection} FROM ${named(`create ${kinds[kind].table}`)}
  ) AS record)`;

/** Notes the summary of a change of many records, after its entries. */
export async function noteSummary(
  { tx, actor }: Pick<ChangeContext, 'tx' | 'actor'>,
  action: 'import' | 'undo',
  summary: object,
): Promise<void> {
  await queryJson(tx, {
    ctes: `WITH noted AS (${noteEntries} SELECT ${actorFrom(1)}, $6::text, 'Catalog', NULL, NULL, $7::jsonb)`,
    text: 'SELECT',
    values: [...actorValues(actor), action, JSON.stringify(summary)],
  });
}
