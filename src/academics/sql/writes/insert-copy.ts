import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../../accounts/audit/audit.ts';
import type { Program } from '../../../generated/prisma/client.ts';
import type { Actor } from '../../../operations/caller.ts';
import { asStored, branchFields, columnsOf, programFields } from '../columns.ts';
import { lockParent } from '../locks.ts';
import { programSelection, withDates } from '../records.ts';
import { programSnapshot, snapshotOf } from './audit-snapshots.ts';
import { addYears } from './years.ts';

interface ProgramCopy {
  /** The program that is copied. */
  readonly id: number;
  /** Fields of the copy that differ. */
  readonly fields: { readonly [Field in 'name' | 'duration' | 'code']: Program[Field] | undefined };
  /** False: the branches of the copy have no codes. */
  readonly keepBranchCodes: boolean;
}

const listOf = (columns: readonly string[], table: string): string =>
  columns.map((column) => `${table}.${column}`).join(', ');
const programColumns = columnsOf(programFields);
const branchColumns = columnsOf(branchFields);

/** The columns of the copy of a branch, but for those that it has of its own. */
const copiedColumns = branchColumns.filter((column) => column !== 'program_id' && column !== 'code');

/**
 * Creates a program as another one, with its branches and years, each record with its audit entry, in one statement.
 * Blocks the deletion of the other until the commit; `undefined` when it does not exist.
 */
export async function insertCopy(
  tx: AnyTransaction,
  actor: Actor,
  { id, fields, keepBranchCodes }: ProgramCopy,
): Promise<Program | undefined> {
  if (!(await lockParent(tx, id))) return undefined;
  const [created] = await queryJson<Program>(tx, {
    ctes: `WITH copied AS (
        INSERT INTO programs (${programColumns.join(', ')}) SELECT ${listOf(programColumns, 'wanted')}
        FROM programs AS source, jsonb_populate_record(source, $2::jsonb) AS wanted WHERE source.id = $1::int
        RETURNING *
      ), branch AS MATERIALIZED (
        SELECT nextval('branches_id_seq') AS new_id, copied.id AS new_program_id,
          CASE WHEN $3::boolean THEN original.code END AS new_code, original.*
        FROM copied, (
          SELECT * FROM branches WHERE program_id = $1::int AND deleted_at IS NULL ORDER BY id
        ) AS original
      ), copied_branches AS (
        INSERT INTO branches (id, program_id, code, ${copiedColumns.join(', ')})
        SELECT new_id, new_program_id, new_code, ${copiedColumns.join(', ')} FROM branch ORDER BY new_id RETURNING id
      ), copied_years AS (
        ${addYears} SELECT new_id, original.year, original.code
        FROM branch JOIN branch_years AS original ON original.branch_id = branch.id
        -- After the branches, of which subscribers then hear as new.
        WHERE (SELECT count(*) FROM copied_branches) >= 0 ORDER BY new_id, original.year
      ), noted AS (
        ${noteEntries} SELECT ${actorFrom(4)}, 'create', kind, id, NULL, snapshot FROM (
          SELECT 1 AS turn, 'Program' AS kind, id, ${programSnapshot('copied')} AS snapshot FROM copied
          UNION ALL
          SELECT 2, 'Branch', new_id, ${snapshotOf.Branch('branch')}
            || jsonb_build_object('programId', new_program_id, 'code', new_code) FROM branch
        ) AS given ORDER BY turn, id
      )`,
    text: `SELECT ${programSelection} FROM copied`,
    values: [id, JSON.stringify(asStored(fields)), keepBranchCodes, ...actorValues(actor)],
  });
  return created && withDates(created);
}
