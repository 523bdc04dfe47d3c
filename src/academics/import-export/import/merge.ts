import type { Problem } from '@service/errors/problems';
import { RawConnection } from '@service/postgres/sql';
import type { Client } from 'pg';
import type { Actor } from '../../../operations/caller.ts';
import { problem } from '../../../validation/problems.ts';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import { holdDefinitions } from '../../definitions/definitions.ts';
import { kinds, type RecordKind } from '../../kinds.ts';
import { applyPlan, type ChangeContext, noteSummary, type Plan } from '../../sql/writes/apply.ts';
import { newBranches, newPrograms } from './collect-changes.ts';

/** A record changed while it was compared with the file. A retry helps. */
export class CatalogChangedError extends Error {
  override readonly name = 'CatalogChangedError';

  readonly problem: Problem;

  constructor(rule: 'RECORD_JUST_CHANGED' | 'PROGRAM_JUST_DELETED' | 'DEFINITION_JUST_CHANGED') {
    const found = problem(rule);
    super(found.message);
    this.problem = found;
  }
}

/**
 * Creates and updates records, and notes each as a single change does, then the import.
 * @throws CatalogChangedError when a record was changed or deleted during the import, or a definition with choices.
 */
export async function mergeRows(
  client: Client,
  { actor: importActor, defined }: Pick<ChangeContext, 'actor'> & { readonly defined: DefinedAttributes },
  summary: object,
): Promise<void> {
  const tx = new RawConnection({ connection: client });
  const withChoices = defined.list.filter(({ kind }) => kind === 'CHOICE');
  if (!(await holdDefinitions(tx, withChoices))) throw new CatalogChangedError('DEFINITION_JUST_CHANGED');
  await lockExisting(client);
  const { rows } = await client.query<{ readonly at: Date }>('SELECT statement_timestamp() AS at');
  const actor: Actor = { ...importActor, ...rows[0] };
  const context = { tx, actor, refusals: [] };
  const { problemCount } = await applyPlan(context, plan, { when: 'unless refused', problemsMax: 0 });
  if (problemCount > 0) throw new CatalogChangedError('RECORD_JUST_CHANGED');
  await noteSummary(context, 'import', summary);
}

/** Locks what changes, and programs of new branches against deletion, in the order of all transactions (`locks.ts`). */
async function lockExisting(client: Client): Promise<void> {
  const { rowCount: changed } = await client.query(`SELECT FROM changed WHERE kind = 'Program' LIMIT 1`);
  const { rows } = await client.query<{ wanted: number; held: number }>(`
    WITH parents AS (
      SELECT DISTINCT program_id AS id FROM wanted_branches WHERE id IS NULL AND program_id IS NOT NULL
    ), held AS MATERIALIZED (
      SELECT id FROM programs
      WHERE deleted_at IS NULL AND id IN (SELECT id FROM parents UNION SELECT id FROM changed WHERE kind = 'Program')
      ORDER BY id ${changed === 0 ? 'FOR KEY SHARE' : 'FOR NO KEY UPDATE'}
    )
    SELECT (SELECT count(*)::integer FROM parents) AS wanted,
      (SELECT count(*)::integer FROM held JOIN parents USING (id)) AS held`);
  if (rows[0]?.wanted !== rows[0]?.held) throw new CatalogChangedError('PROGRAM_JUST_DELETED');
  await client.query(`SELECT count(*) FROM (
    SELECT FROM branches WHERE id IN (SELECT id FROM changed WHERE kind = 'Branch') ORDER BY id FOR UPDATE
  ) AS held`);
}

/** Changes of records that are no longer as they were compared. */
const changedSince = (kind: RecordKind): string =>
  `SELECT kind, id, 'changed' AS reason, NULL::jsonb AS details FROM changed
    WHERE kind = '${kind}' AND NOT EXISTS (
      SELECT FROM ${kinds[kind].table} AS existing
      WHERE existing.id = changed.id AND existing.version = changed.version AND deleted_at IS NULL
    )`;

const plan: Plan = {
  steps: ['create programs', 'create branches', 'change programs', 'change branches'],
  ctes: `WITH problem AS MATERIALIZED (
      ${changedSince('Program')} UNION ALL ${changedSince('Branch')}
    ), new_program AS MATERIALIZED (
      SELECT nextval('programs_id_seq')::int AS id, * FROM (${newPrograms}) AS program
    ), planned AS MATERIALIZED (
      SELECT 'Program' AS kind, id, true AS is_new, NULL::jsonb AS before, after FROM new_program
      UNION ALL
      SELECT kind, id, false, before, after FROM changed
      UNION ALL
      SELECT 'Branch', nextval('branches_id_seq')::int, true, NULL, after
      FROM (${newBranches('new_program')}) AS branch
    )`,
  values: [],
};
