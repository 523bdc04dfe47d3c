import type { Problem } from '@service/errors/problems';
import { RawConnection } from '@service/postgres/sql';
import type { Client } from 'pg';
import { actorFrom, actorValues, noteEntries } from '../../../accounts/audit/audit.ts';
import type { Actor } from '../../../operations/caller.ts';
import { problem } from '../../../validation/problems.ts';
import { withValues } from '../../sql/attributes.ts';
import { branchFields, columnsOf, programFields } from '../../sql/columns.ts';
import { applyPlan, noteSummary, type Plan, type RecordKind, type Table } from '../../sql/writes/apply.ts';
import { branchSnapshot, programSnapshot } from '../../sql/writes/audit-snapshots.ts';
import { addYears, yearsOf } from '../../sql/writes/years.ts';
import { branchDefaults, programDefaults } from '../columns.ts';

/** A record changed while it was compared with the file. A retry helps. */
export class CatalogChangedError extends Error {
  override readonly name = 'CatalogChangedError';

  readonly problem: Problem;

  constructor(rule: 'RECORD_JUST_CHANGED' | 'PROGRAM_JUST_DELETED') {
    const found = problem(rule);
    super(found.message);
    this.problem = found;
  }
}

/**
 * Creates and updates records, and notes each as a single change does, then the import.
 * @throws CatalogChangedError when a record was changed or deleted during the import.
 */
export async function mergeRows(client: Client, importer: Actor, summary: object): Promise<void> {
  await lockExisting(client);
  await client.query(createMissing);
  const { rows } = await client.query<{ readonly at: Date }>('SELECT statement_timestamp() AS at');
  const actor: Actor = { ...importer, ...rows[0] };
  const tx = new RawConnection({ connection: client });
  for (const kind of ['Program', 'Branch'] as const) {
    await client.query(noteCreated[kind], actorValues(actor));
    const options = { condition: 'NOT EXISTS (SELECT FROM problem)', tables: [tables[kind]], actor, problemsMax: 0 };
    const { problemCount } = await applyPlan(tx, changesOf(kind), options);
    if (problemCount > 0) throw new CatalogChangedError('RECORD_JUST_CHANGED');
  }
  await noteSummary(tx, actor, 'import', summary);
}

const tables: Readonly<Record<RecordKind, Table>> = { Program: 'programs', Branch: 'branches' };

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

/** `created_at` is not the beginning of the transaction: a client that polls with `createdSince` would miss the records. */
const insertNew = (table: Table, fields: typeof programFields | typeof branchFields): string => `
  INSERT INTO ${table} (id, ${columnsOf(fields)}, created_at, updated_at)
  SELECT id, ${columnsOf(fields).map((column) => `(made).${column}`)}, statement_timestamp(), statement_timestamp()
  FROM new_${table} ORDER BY id`;

const noAttributes = `'{}'::jsonb`;

/** Creates records in the order of the file, which an export then preserves. */
const createMissing = `
  CREATE TEMP TABLE new_programs ON COMMIT DROP AS
  SELECT nextval(pg_get_serial_sequence('programs', 'id'))::integer AS id, w.*
  FROM (
    SELECT number, ${withValues(programDefaults, noAttributes, 'given')} AS made
    FROM wanted_programs WHERE id IS NULL ORDER BY number
  ) w;
  ANALYZE new_programs (id);
  ${insertNew('programs', programFields)};

  CREATE TEMP TABLE new_branches ON COMMIT DROP AS
  SELECT nextval(pg_get_serial_sequence('branches', 'id'))::integer AS id, w.*
  FROM (
    SELECT w.years, ${withValues(
      branchDefaults,
      noAttributes,
      `(w.given || jsonb_build_object('program_id', coalesce(w.program_id, p.id)))`,
    )} AS made
    FROM wanted_branches w LEFT JOIN new_programs p ON p.number = w.program_number
    WHERE w.id IS NULL
    ORDER BY w.number
  ) w;
  ANALYZE new_branches (id);
  ${insertNew('branches', branchFields)};

  ${addYears}
  ${yearsOf('(SELECT id AS branch_id, years, (made).code_prefix, (made).code_is_numeric FROM new_branches) AS new')}
  ORDER BY branch_id, year`;

const noteCreated = {
  Program: `${noteEntries}
    SELECT ${actorFrom(1)}, 'create', 'Program', id, NULL, ${programSnapshot('(made)')} FROM new_programs ORDER BY id`,
  Branch: `${noteEntries}
    SELECT ${actorFrom(1)}, 'create', 'Branch', id, NULL, ${branchSnapshot('(made)', 'years')} FROM new_branches ORDER BY id`,
};

/** The changes of records, unless one is no longer as it was compared. */
const changesOf = (kind: RecordKind): Plan => ({
  ctes: `WITH problem AS MATERIALIZED (
      SELECT kind, id, 'changed' AS reason, NULL::integer AS "programId" FROM changed
      WHERE kind = '${kind}' AND NOT EXISTS (
        SELECT FROM ${tables[kind]} AS existing
        WHERE existing.id = changed.id AND existing.version = changed.version AND deleted_at IS NULL
      )
    ), planned AS NOT MATERIALIZED (
      SELECT kind, id, before, after FROM changed WHERE kind = '${kind}'
    )`,
  values: [],
});
