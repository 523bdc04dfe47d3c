import { ServiceError } from '@service/errors';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { problem } from '../../../validation/problems.ts';
import { validationFailed } from '../../../validation/validate.ts';
import { snapshotOf } from '../../kinds.ts';
import { lockRows } from '../locks.ts';
import { applyPlan, type Change, noteSummary } from './apply.ts';
import type { RecordProblem } from './record-problems.ts';

export interface UndoResult {
  /** `null` when nothing changed. */
  readonly changeId: string | null;
  readonly undone: number;
  /** Records that somebody has changed since: the first ones. */
  readonly left: readonly RecordProblem[];
  readonly leftCount: number;
}

/** A response stays small, though an import may have changed a million records. */
const leftMax = 1_000;
/**
 * Changes of so many entries are undone without nested loops: PostgreSQL may believe that new entries are few, and
 * compare each with all others. Smaller ones read no whole table.
 */
const largeMin = 1_000;
const largeSettings = { enable_nestloop: 'off', work_mem: '64MB' } as const;

/**
 * Undoes a change by a new change, from the entries of the audit log. Skips records that were changed again since.
 *
 * @throws ServiceError `NOT_FOUND` when the audit log does not have the change, `VALIDATION_FAILED` when it is not one of
 *   the catalog.
 */
export async function undoChange(change: Change, changeId: string): Promise<UndoResult> {
  const { tx, actor } = change;
  const { entries, deletes } = await requireChange(tx, changeId);
  if (entries >= largeMin) await set(tx, largeSettings);
  await lockRows(
    tx,
    `SELECT FROM programs WHERE id IN (
      SELECT subject_id FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Program'
      UNION SELECT (before ->> 'programId')::int FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Branch'
    ) ORDER BY id FOR UPDATE`,
    [changeId],
  );
  await lockRows(
    tx,
    `SELECT FROM branches WHERE id IN (
      SELECT subject_id FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Branch'
    ) ORDER BY id FOR UPDATE`,
    [changeId],
  );
  const applied = await applyPlan(
    change,
    {
      cause: 'undo',
      ctes,
      values: [changeId],
      steps: deletes ? ['change programs', 'change branches'] : ['change branches', 'change programs'],
    },
    { when: 'always', problemsMax: leftMax },
  );
  // Reset, as later statements of the transaction are not large.
  if (entries >= largeMin) await set(tx, { enable_nestloop: null, work_mem: null });
  const undone = applied.programs + applied.branches;
  const left = { left: applied.problems, leftCount: applied.problemCount };
  if (undone === 0) return { changeId: null, undone, ...left };
  const summary = {
    changeId,
    undone,
    programs: applied.programs,
    branches: applied.branches,
    left: applied.problemCount,
  };
  await noteSummary(change, 'undo', summary);
  return { changeId: actor.changeId, undone, ...left };
}

/** Changes settings until the transaction ends; null restores the value of the session. */
async function set(tx: AnyTransaction, settings: Readonly<Record<string, string | null>>): Promise<void> {
  const text = `SELECT set_config(name, coalesce(value, reset_val), true)
    FROM json_each_text($1::json) AS given (name, value) JOIN pg_settings USING (name)`;
  await queryJson(tx, { text, values: [JSON.stringify(settings)] });
}

interface EntriesOf {
  readonly entries: number;
  /** Whether it deleted records. */
  readonly deletes: boolean;
  readonly isOfCatalog: boolean;
}

async function requireChange(tx: AnyTransaction, changeId: string): Promise<EntriesOf> {
  const [found] = await queryJson<EntriesOf>(tx, {
    text: `SELECT count(*) AS entries, coalesce(bool_or(action = 'delete'), false) AS deletes,
        coalesce(bool_and(subject IN ('Program', 'Branch', 'Catalog')), true) AS "isOfCatalog"
      FROM audit_entries WHERE change_id = $1::uuid`,
    values: [changeId],
  });
  if (found === undefined || found.entries === 0) {
    throw new ServiceError('NOT_FOUND', problem('CHANGE_MISSING', { id: changeId }));
  }
  if (!found.isOfCatalog) {
    throw validationFailed({ changeId: [problem('NOT_UNDOABLE', { field: 'changeId' })] });
  }
  return found;
}

/**
 * SQL that compares each record with what the change left (`state`). A program whose creation is undone stays while it
 * has a branch that stays; a branch that comes back needs its program.
 */
const ctes = `WITH entry AS MATERIALIZED (
    SELECT subject AS kind, subject_id AS id, before, after, after IS NOT NULL AS was_left FROM audit_entries
    WHERE change_id = $1::uuid AND subject IN ('Program', 'Branch')
  ), state AS MATERIALIZED (
    SELECT *, CASE
        WHEN current IS NULL THEN 'missing'
        WHEN is_there <> was_left OR current || coalesce(after, before) <> current THEN 'changed'
      END AS obstacle, current || before AS target
    FROM (
      SELECT entry.*, record.deleted_at IS NULL AS is_there, NULL::int AS program_id,
        ${snapshotOf('Program', 'record')} AS current
      FROM entry LEFT JOIN programs AS record ON record.id = entry.id WHERE kind = 'Program'
      UNION ALL
      SELECT entry.*, record.deleted_at IS NULL, record.program_id, ${snapshotOf('Branch', 'record')}
      FROM entry LEFT JOIN branches AS record ON record.id = entry.id WHERE kind = 'Branch'
    ) AS compared
  ), branch_state AS MATERIALIZED (
    SELECT state.kind, state.id, state.is_there, state.current, state.target, state.program_id, coalesce(
        state.obstacle,
        CASE WHEN state.target IS NOT NULL AND NOT CASE
            WHEN parent.id IS NULL THEN programs.id IS NOT NULL AND programs.deleted_at IS NULL
            ELSE parent.target IS NOT NULL
          END THEN 'parent' END
      ) AS obstacle, (state.target ->> 'programId')::int AS "programId"
    FROM state
      LEFT JOIN programs ON programs.id = (state.target ->> 'programId')::int
      LEFT JOIN state AS parent ON parent.kind = 'Program' AND parent.obstacle IS NULL AND parent.id = programs.id
    WHERE state.kind = 'Branch'
  ), kept AS MATERIALIZED (
    SELECT DISTINCT program_id FROM branches
    WHERE deleted_at IS NULL
      AND program_id IN (SELECT id FROM state WHERE kind = 'Program' AND target IS NULL)
      AND NOT EXISTS (
        SELECT FROM branch_state WHERE branch_state.id = branches.id AND obstacle IS NULL AND target IS NULL
      )
  ), decided AS MATERIALIZED (
    SELECT kind, id, is_there, current, target, "programId", obstacle FROM branch_state
    UNION ALL
    SELECT kind, id, is_there, current, target, NULL, CASE
        WHEN obstacle IS NULL AND target IS NULL AND id IN (SELECT program_id FROM kept) THEN 'branches'
        ELSE obstacle
      END
    FROM state WHERE kind = 'Program'
  ), problem AS MATERIALIZED (
    SELECT kind, id, obstacle AS reason, jsonb_build_object('id', "programId") AS details FROM decided WHERE obstacle IS NOT NULL
  ), planned AS MATERIALIZED (
    SELECT kind, id, false AS is_new, CASE WHEN is_there THEN current END AS before, target AS after
    FROM decided WHERE obstacle IS NULL
  )`;
