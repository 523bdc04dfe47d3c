import { type AnyTransaction, differ, queryJson } from '@service/postgres/sql';
import { notFound } from '../../../validation/validate.ts';
import { kinds, type RecordKind, snapshotOf } from '../../kinds.ts';
import type { ChangedRecord } from '../../record-change.ts';
import { changedAttributes, hasTooManyAttributes } from '../attributes.ts';
import { lockBranches, lockParent, lockParents, lockPrograms, lockProgramsForDeletion } from '../locks.ts';
import { applyPlan, type ChangeContext, type Plan, type Step } from './apply.ts';
import { type RecordProblem, requireNone } from './record-problems.ts';

/** New values by field; an undefined one leaves the field unchanged. */
type Values = { readonly programId?: number | undefined } & Readonly<Record<string, unknown>>;

/** Values that take the place of others, by the key of an attribute and its value. */
export type Successors = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type BulkAction =
  | { readonly update: Values; readonly successors?: Successors | undefined }
  | 'delete'
  | 'restore';

export interface BulkWrite {
  readonly kind: RecordKind;
  /** Ids; a repeated one counts once. */
  readonly ids: readonly number[];
  readonly action: BulkAction;
  readonly dryRun: boolean;
  /** Changes only what the dry run with this fingerprint said: else it is a dry run. */
  readonly fingerprint?: string | undefined;
}

export interface BulkResult {
  /** `null` when nothing changed. */
  readonly changeId: string | null;
  /** Records of the ids alone, without the branches of programs. */
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly RecordProblem[];
  /** Identifies what a dry run would change, by its records as they are and would be. */
  readonly fingerprint: string | null;
  /** The programs that changed, themselves or in a branch. */
  readonly programIds: readonly number[];
  /** Of a dry run, the first records that would change, branches of programs too. */
  readonly changes: readonly ChangedRecord[];
}

/**
 * Updates, deletes or restores records in one statement, all or none: with a problem of one, none is changed.
 *
 * @throws ServiceError `NOT_FOUND` when branches move to a program that does not exist.
 */
export async function writeMany(
  context: ChangeContext,
  { kind, ids, action, dryRun, fingerprint: expected }: BulkWrite,
): Promise<BulkResult> {
  // A dry run holds nothing for which others wait: it changes nothing, and the fingerprint guards the change after it.
  const targetExists = dryRun ? await isThere(context.tx, targetOf(action)) : await lock(context.tx, kind, ids, action);
  const mayBeDry = dryRun || expected !== undefined;
  const applied = await applyPlan(context, planOf(kind, ids, action), {
    when: dryRun || !targetExists ? 'never' : 'unless refused',
    fingerprint: expected,
    withFingerprint: mayBeDry,
    withChanges: mayBeDry,
    withPrograms: true,
    problemsMax: ids.length + context.refusals.length,
  });
  const { programs, branches, problems, programIds, fingerprint, changes } = applied;
  const none = { changeId: null, problems, fingerprint: null, programIds: [], changes: [] };
  if (problems.length > 0) return { ...none, changed: 0, unchanged: 0 };
  if (!targetExists) throw notFound('Program', targetOf(action) ?? 0);
  const changed = kind === 'Program' ? programs : branches;
  const counts = { changed, unchanged: new Set(ids).size - changed };
  if (dryRun || fingerprint !== (expected ?? null)) return { ...none, ...counts, fingerprint, changes };
  return { ...none, ...counts, changeId: changed === 0 ? null : context.actor.changeId, programIds };
}

/** Writes one record; throws its problem. Returns the programs that changed, themselves or in a branch. */
export async function writeOne(
  context: ChangeContext,
  kind: RecordKind,
  id: number,
  action: BulkAction,
): Promise<readonly number[]> {
  const { problems, programIds } = await writeMany(context, { kind, ids: [id], action, dryRun: false });
  requireNone(problems);
  return programIds;
}

/** The order of changes: a deletion begins with branches, a restoration with programs. */
function stepsOf(kind: RecordKind, action: BulkAction): readonly Step[] {
  if (kind === 'Branch') return ['change branches'];
  if (action === 'delete') return ['change branches', 'change programs'];
  return action === 'restore' ? ['change programs', 'change branches'] : ['change programs'];
}

const targetOf = (action: BulkAction): number | undefined =>
  typeof action === 'string' ? undefined : action.update.programId;

async function isThere(tx: AnyTransaction, target: number | undefined): Promise<boolean> {
  if (target === undefined) return true;
  const text = 'SELECT 1 FROM programs WHERE id = $1 AND deleted_at IS NULL';
  return (await queryJson(tx, { text, values: [target] })).length > 0;
}

/** Locks the records. Returns whether the program exists to which branches move, if any. */
async function lock(
  tx: AnyTransaction,
  kind: RecordKind,
  ids: readonly number[],
  action: BulkAction,
): Promise<boolean> {
  if (kind === 'Program') {
    if (action === 'delete') await lockProgramsForDeletion(tx, 'SELECT unnest($1::int[])', [ids]);
    else await lockPrograms(tx, ids);
    if (typeof action === 'string') await lockBranches(tx, 'program_id', ids);
    return true;
  }
  if (action === 'restore') await lockParents(tx, ids);
  const target = targetOf(action);
  const targetExists = target === undefined || (await lockParent(tx, target));
  await lockBranches(tx, 'id', ids);
  return targetExists;
}

/** `found (id, is_known, is_there, snapshot)`, of each id once. */
const found = (kind: RecordKind): string => `WITH found AS MATERIALIZED (
    SELECT given.id, record.id IS NOT NULL AS is_known, record.id IS NOT NULL AND record.deleted_at IS NULL AS is_there,
      ${snapshotOf(kind, 'record')} AS snapshot
    FROM (SELECT DISTINCT unnest($1::int[]) AS id) AS given LEFT JOIN ${kinds[kind].table} AS record ON record.id = given.id
  )`;

const missing = (kind: RecordKind, condition: string): string =>
  `SELECT '${kind}' AS kind, id, 'missing' AS reason, NULL::jsonb AS details FROM found WHERE NOT ${condition}`;

const planned = (kind: RecordKind, before: string, after: string): string =>
  `SELECT '${kind}' AS kind, id, false AS is_new, ${before}::jsonb AS before, ${after}::jsonb AS after FROM found`;

/** The branches that are deleted or restored with their programs. */
const branches = (before: string, after: string, programs: string, condition: string): string =>
  `SELECT 'Branch', branch.id, false, ${before}::jsonb, ${after}::jsonb
    FROM branches AS branch WHERE program_id IN (SELECT id FROM found WHERE ${programs}) AND ${condition}`;

const branchSnapshot = kinds.Branch.snapshot('branch');

/** The attributes of an update, with the successors of values that a record has. */
const withSuccessors = `(
    SELECT coalesce(jsonb_object_agg(key, successor), '{}')
    FROM jsonb_each($3::jsonb) AS of_key (key, successors)
      CROSS JOIN LATERAL (SELECT successors ->> (snapshot -> 'attributes' ->> key) AS successor) AS found
    WHERE successor IS NOT NULL
  ) || coalesce($2::jsonb -> 'attributes', '{}')`;

const ctes = {
  Program: {
    update: update('Program'),
    replace: update('Program', withSuccessors),
    delete: plan(
      'Program',
      missing('Program', 'is_there'),
      `${planned('Program', 'snapshot', 'NULL')} WHERE is_there
      UNION ALL ${branches(branchSnapshot, 'NULL', 'is_there', 'deleted_at IS NULL')}`,
    ),
    restore: plan(
      'Program',
      missing('Program', 'is_known'),
      `${planned('Program', 'NULL', 'snapshot')} WHERE is_known AND NOT is_there
      UNION ALL ${branches('NULL', branchSnapshot, 'NOT is_there', 'deleted_with_program')}`,
    ),
  },
  Branch: {
    update: update('Branch'),
    replace: update('Branch', withSuccessors),
    delete: plan('Branch', missing('Branch', 'is_there'), `${planned('Branch', 'snapshot', 'NULL')} WHERE is_there`),
    restore: plan(
      'Branch',
      `${missing('Branch', 'is_known')}
      UNION ALL SELECT 'Branch', found.id, 'parent', jsonb_build_object('id', programs.id)
        FROM found JOIN programs ON programs.id = (snapshot ->> 'programId')::int
        WHERE NOT is_there AND programs.deleted_at IS NOT NULL`,
      `${planned('Branch', 'NULL', 'snapshot')} WHERE is_known AND NOT is_there`,
    ),
  },
} as const;

/** Attributes that an update does not name stay. */
function update(kind: RecordKind, values = `$2::jsonb -> 'attributes'`): string {
  const attributes = changedAttributes(`(snapshot -> 'attributes')`, values);
  const wanted = `wanted AS MATERIALIZED (
    SELECT id, snapshot, snapshot || $2::jsonb || jsonb_build_object('attributes', ${attributes}) AS after
    FROM found WHERE is_there
  )`;
  return plan(
    kind,
    `${missing(kind, 'is_there')}
    UNION ALL SELECT '${kind}', id, 'attributes', NULL FROM wanted WHERE ${hasTooManyAttributes(`after -> 'attributes'`)}`,
    `SELECT '${kind}' AS kind, id, false AS is_new, snapshot AS before, after FROM wanted WHERE ${differ('after', 'snapshot')}`,
    [wanted],
  );
}

function plan(kind: RecordKind, problems: string, changes: string, others: readonly string[] = []): string {
  return `${[found(kind), ...others].join(', ')}, problem AS MATERIALIZED (
    ${problems}
  ), planned AS MATERIALIZED (
    ${changes}
  )`;
}

function planOf(kind: RecordKind, ids: readonly number[], action: BulkAction): Plan {
  const steps = stepsOf(kind, action);
  if (typeof action === 'string') return { steps, ctes: ctes[kind][action], values: [ids] };
  const { update, successors } = action;
  const values = [ids, JSON.stringify(update)];
  if (successors === undefined) return { steps, ctes: ctes[kind].update, values };
  return { steps, ctes: ctes[kind].replace, values: [...values, JSON.stringify(successors)] };
}
