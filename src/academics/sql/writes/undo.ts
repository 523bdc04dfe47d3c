import { ServiceError } from '@service/errors';
import { type AnyTransaction, differ, queryJson } from '@service/postgres/sql';
import { problem } from '../../../validation/problems.ts';
import { validationFailed } from '../../../validation/validate.ts';
import { snapshotOf } from '../../kinds.ts';
import type { ChangedRecord } from '../../record-change.ts';
import { changedAttributes, hasTooManyAttributes } from '../attributes.ts';
import { lockProgramsForDeletion, lockRows } from '../locks.ts';
import { applyPlan, type ChangeContext, noteSummary } from './apply.ts';
import type { RecordProblem } from './record-problems.ts';

export interface UndoResult {
  /** `null` when nothing changed. */
  readonly changeId: string | null;
  /** Records of which something is as before. */
  readonly undone: number;
  /** Records of which something stays, as somebody has changed it since: the first ones. */
  readonly left: readonly RecordProblem[];
  readonly leftCount: number;
  /** Of a dry run, the first records that would change. */
  readonly changes: readonly ChangedRecord[];
}

/** A response stays small, though an import may have changed a million records. */
const leftMax = 1_000;
/**
 * Changes of so many entries are undone without nested loops: PostgreSQL may believe that new entries are few, and
 * compare each with all others. Smaller ones, and with them all changes by ids, read no whole table.
 */
const largeMin = 2_000;
const largeSettings = { enable_nestloop: 'off', work_mem: '64MB' } as const;

/**
 * Undoes a change by a new change, from the entries of the audit log. What was changed again since stays: of an update
 * such fields, else the record.
 *
 * @throws ServiceError `NOT_FOUND` when the audit log does not have the change, `VALIDATION_FAILED` when it is not one of
 *   the catalog.
 */
export async function undoEntries(context: ChangeContext, changeId: string, dryRun: boolean): Promise<UndoResult> {
  const { tx, actor } = context;
  const { entries, deletes } = await requireChange(tx, changeId);
  if (entries >= largeMin) await set(tx, largeSettings);
  if (!dryRun) await lockRecords(tx, changeId);
  const applied = await applyPlan(
    context,
    {
      ctes,
      values: [changeId],
      steps: deletes ? ['change programs', 'change branches'] : ['change branches', 'change programs'],
    },
    { when: dryRun ? 'never' : 'always', withChanges: dryRun, problemsMax: leftMax },
  );
  // Reset, as later statements of the transaction are not large.
  if (entries >= largeMin) await set(tx, { enable_nestloop: null, work_mem: null });
  const undone = applied.programs + applied.branches;
  const rest = { undone, left: applied.problems, leftCount: applied.problemCount, changes: applied.changes };
  if (dryRun || undone === 0) return { changeId: null, ...rest };
  const summary = {
    changeId,
    undone,
    programs: applied.programs,
    branches: applied.branches,
    left: applied.problemCount,
  };
  await noteSummary(context, 'undo', summary);
  return { changeId: actor.changeId, ...rest };
}

async function lockRecords(tx: AnyTransaction, changeId: string): Promise<void> {
  const programs = (condition: string): string =>
    `SELECT subject_id FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Program' AND ${condition}`;
  // What a creation made is deleted; nothing else keeps branches from being created.
  await lockProgramsForDeletion(tx, programs('before IS NULL'), [changeId]);
  await lockRows(
    tx,
    `SELECT FROM programs WHERE id IN (
      ${programs('before IS NOT NULL')}
      UNION SELECT (before ->> 'programId')::int FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Branch'
    ) ORDER BY id FOR NO KEY UPDATE`,
    [changeId],
  );
  await lockRows(
    tx,
    `SELECT FROM branches WHERE id IN (
      SELECT subject_id FROM audit_entries WHERE change_id = $1::uuid AND subject = 'Branch'
    ) ORDER BY id FOR UPDATE`,
    [changeId],
  );
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

const isAttribute = `starts_with(field, 'attributes.')`;
const dueWhere = (condition: string, name: string): string =>
  `coalesce(jsonb_object_agg(${name}, value) FILTER (WHERE outcome = 'due' AND ${condition}), '{}')`;

/**
 * What an update changed: fields and attributes that become as before, and the names of those changed since. The database
 * function `three_way` (of the last migration that names it) returns each field that the change set: `done` if it is as
 * before already, `due` if it is as the change left it, else `left`.
 */
const merged = `(
    SELECT jsonb_build_object('fields', ${dueWhere(`NOT ${isAttribute}`, 'field')},
      'attributes', ${dueWhere(isAttribute, `substr(field, ${'attributes.'.length + 1})`)},
      'left', string_agg(field, ', ' ORDER BY field COLLATE "C") FILTER (WHERE outcome = 'left'))
    FROM three_way(after, before, current)
  )`;

/** So many later changes of a record are looked at for who has changed what is left: it may have any number. */
const laterMax = 10;

const fieldOf = (state: string): string =>
  `CASE WHEN field LIKE 'attributes.%' THEN ${state} -> 'attributes' -> substr(field, 12) ELSE ${state} -> field END`;

/**
 * Who has changed a record, or a field of it that is left, last since the change; `NULL` if that is long ago. Read for the
 * problems that are listed.
 */
const lastActor = `(
    SELECT actor FROM (
      SELECT id, actor, before, after FROM audit_entries
      WHERE subject = kind AND subject_id = decided.id AND audit_entries.id > entry_id
      ORDER BY audit_entries.id DESC LIMIT ${laterMax}
    ) AS later
    WHERE left_fields IS NULL OR EXISTS (
      SELECT FROM unnest(string_to_array(left_fields, ', ')) AS field
      WHERE ${fieldOf('later.before')} IS DISTINCT FROM ${fieldOf('later.after')}
    )
    ORDER BY later.id DESC LIMIT 1
  )`;

/**
 * SQL that compares each record with what the change left: a record that came to be, was deleted or restored as a whole,
 * one that was updated field by field. A program whose creation is undone stays while it has a branch that stays; a branch
 * that comes back needs its program.
 */
const ctes = `WITH entry AS MATERIALIZED (
    SELECT id AS entry_id, subject AS kind, subject_id AS id, before, after, before IS NOT NULL AND after IS NOT NULL AS is_update
    FROM audit_entries WHERE change_id = $1::uuid AND subject IN ('Program', 'Branch')
  ), present AS MATERIALIZED (
    SELECT entry.*, record.deleted_at IS NULL AS is_there, NULL::int AS program_id,
      ${snapshotOf('Program', 'record')} AS current
    FROM entry LEFT JOIN programs AS record ON record.id = entry.id WHERE kind = 'Program'
    UNION ALL
    SELECT entry.*, record.deleted_at IS NULL, record.program_id, ${snapshotOf('Branch', 'record')}
    FROM entry LEFT JOIN branches AS record ON record.id = entry.id WHERE kind = 'Branch'
  ), compared AS MATERIALIZED (
    SELECT *, CASE
        WHEN current IS NULL THEN 'missing'
        WHEN is_there <> (after IS NOT NULL) OR NOT is_update AND ${differ('current || coalesce(after, before)', 'current')} THEN 'changed'
      END AS obstacle, CASE WHEN is_update AND is_there THEN ${merged} END AS merged
    FROM present
  ), state AS MATERIALIZED (
    SELECT entry_id, kind, id, is_there, program_id, current, merged ->> 'left' AS left_fields, obstacle, CASE
        WHEN merged IS NULL THEN current || before
        ELSE current || (merged -> 'fields')
          || jsonb_build_object('attributes', ${changedAttributes(`(current -> 'attributes')`, `merged -> 'attributes'`)})
      END AS target
    FROM compared
  ), branch_state AS MATERIALIZED (
    SELECT state.*, coalesce(
        state.obstacle,
        CASE WHEN state.target IS NOT NULL AND NOT CASE
            WHEN parent.id IS NULL THEN programs.id IS NOT NULL AND programs.deleted_at IS NULL
            ELSE parent.target IS NOT NULL
          END THEN 'parent' END
      ) AS hindrance, (state.target ->> 'programId')::int AS "programId"
    FROM state
      LEFT JOIN programs ON programs.id = (state.target ->> 'programId')::int
      LEFT JOIN state AS parent ON parent.kind = 'Program' AND parent.obstacle IS NULL AND parent.id = programs.id
    WHERE state.kind = 'Branch'
  ), kept AS MATERIALIZED (
    SELECT DISTINCT program_id FROM branches
    WHERE deleted_at IS NULL
      AND program_id IN (SELECT id FROM state WHERE kind = 'Program' AND target IS NULL)
      AND NOT EXISTS (
        SELECT FROM branch_state WHERE branch_state.id = branches.id AND hindrance IS NULL AND target IS NULL
      )
  ), hindered AS MATERIALIZED (
    SELECT entry_id, kind, id, is_there, current, target, left_fields, "programId", hindrance FROM branch_state
    UNION ALL
    SELECT entry_id, kind, id, is_there, current, target, left_fields, NULL, CASE
        WHEN obstacle IS NULL AND target IS NULL AND id IN (SELECT program_id FROM kept) THEN 'branches'
        ELSE obstacle
      END
    FROM state WHERE kind = 'Program'
  ), decided AS MATERIALIZED (
    SELECT *, coalesce(hindrance, CASE WHEN ${hasTooManyAttributes(`target -> 'attributes'`)} THEN 'attributes' END) AS obstacle
    FROM hindered
  ), problem AS NOT MATERIALIZED (
    SELECT kind, id, coalesce(obstacle, 'fields') AS reason,
      jsonb_strip_nulls(jsonb_build_object('id', "programId", 'fields', left_fields, 'actor', ${lastActor})) AS details
    FROM decided WHERE obstacle IS NOT NULL OR left_fields IS NOT NULL
  ), planned AS MATERIALIZED (
    SELECT kind, id, false AS is_new, CASE WHEN is_there THEN current END AS before, target AS after
    FROM decided WHERE obstacle IS NULL AND ${differ('CASE WHEN is_there THEN current END', 'target')}
  )`;
