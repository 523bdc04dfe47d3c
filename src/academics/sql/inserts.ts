import { batchedStatement } from '@service/postgres/batched-statement';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { z } from 'zod';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import { asStored, branchFields, columnsOf, programFields } from './columns.ts';
import { sharedDeletionLock } from './locks.ts';
import { branchSelection, programSelection, withDates } from './records.ts';
import { branchSnapshot, programSnapshot } from './writes/audit-snapshots.ts';
import { addYears, yearsOf } from './writes/years.ts';

interface New<Row> {
  readonly actor: Actor;
  readonly row: Row;
}

type NewProgram = New<z.output<typeof programFields>>;

const programColumnsGiven = columnsOf(programFields).join(', ');
const branchColumnsGiven = columnsOf(branchFields).join(', ');

/** Creates a program with its audit entry, in one statement; concurrent calls of a transaction are batched. */
export const insertProgram = batchedStatement<NewProgram, Program, Program>({
  name: 'create programs',
  ctes: `WITH given AS MATERIALIZED (
      SELECT nextval('programs_id_seq') AS new_id, (json_populate_record(NULL::programs, row)).*, actor, key_id,
        request_id, change_id
      FROM json_to_recordset($1::json) AS given (row json, actor text, key_id int, request_id text, change_id uuid)
    ), created AS (
      INSERT INTO programs (id, ${programColumnsGiven}) SELECT new_id, ${programColumnsGiven} FROM given RETURNING *
    ), noted AS (
      ${noteEntries}
      SELECT CURRENT_TIMESTAMP, actor, key_id, request_id, change_id, 'create', 'Program', new_id, NULL,
        ${programSnapshot('record')}
      FROM given AS record
    )`,
  // Identifiers are in the order of the items.
  text: `SELECT ${programSelection} FROM created ORDER BY id`,
  values: (programs) => [
    JSON.stringify(
      programs.map(({ actor: { name: actor, ...rest }, row }) => ({ row: asStored(row), actor, ...asStored(rest) })),
    ),
  ],
  results: (rows) => rows.map(withDates),
});

type NewBranch = z.output<typeof branchFields> & { readonly years: number };

/** Blocks the deletion of the program until the commit; `undefined` when there is none. */
export async function insertBranch(
  tx: AnyTransaction,
  { actor, row: { years, ...row } }: New<NewBranch>,
): Promise<Branch | undefined> {
  const [created] = await queryJson<Branch>(tx, {
    name: 'create branch',
    ctes: `WITH turn AS MATERIALIZED (SELECT ${sharedDeletionLock('$1::int')}), created AS (
        INSERT INTO branches (${branchColumnsGiven})
        SELECT ${columnsOf(branchFields)
          .map((column) => `given.${column}`)
          .join(', ')}
        FROM programs, json_populate_record(NULL::branches, $2::json) AS given
        WHERE programs.id = (SELECT $1::int FROM turn) AND programs.deleted_at IS NULL FOR KEY SHARE OF programs
        RETURNING *
      ), numbered AS (
        ${addYears} ${yearsOf('(SELECT id AS branch_id, $3::int AS years, code_prefix, code_is_numeric FROM created) AS given')}
      ), noted AS (
        ${noteEntries}
        SELECT ${actorFrom(4)}, 'create', 'Branch', id, NULL, ${branchSnapshot('created', '$3::int')} FROM created
      )`,
    text: `SELECT ${branchSelection} FROM created`,
    values: [row.programId, JSON.stringify(asStored(row)), years, ...actorValues(actor)],
  });
  return created && withDates(created);
}

/** Inserts branches in one statement; leaves out branches of missing programs. */
export async function insertBranches(
  tx: AnyTransaction,
  actor: Actor,
  branches: readonly NewBranch[],
): Promise<Branch[]> {
  const created = await queryJson<Branch>(tx, {
    name: 'create branches',
    ctes: `WITH given AS MATERIALIZED (
        SELECT (json_populate_record(NULL::branches, row)).*, years, ordinality
        FROM ROWS FROM (json_to_recordset($1::json) AS (row json, years int)) WITH ORDINALITY
      ), turn AS MATERIALIZED (
        SELECT array_agg(program_id) AS ids, count(${sharedDeletionLock('program_id')})
        FROM (SELECT DISTINCT program_id FROM given ORDER BY program_id) AS wanted
      ), parents AS MATERIALIZED (
        SELECT id AS program_id FROM programs
        WHERE id = ANY ((SELECT ids FROM turn)::int[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      ), numbered AS MATERIALIZED (
        SELECT nextval('branches_id_seq') AS new_id, *
        FROM (SELECT * FROM given JOIN parents USING (program_id) ORDER BY ordinality) AS ordered
      ), created AS (
        INSERT INTO branches (id, ${branchColumnsGiven})
        SELECT new_id, ${branchColumnsGiven} FROM numbered RETURNING *
      ), with_years AS (
        ${addYears}
        ${yearsOf('(SELECT new_id AS branch_id, years, code_prefix, code_is_numeric FROM numbered) AS given')}
        ORDER BY branch_id, year
      ), noted AS (
        ${noteEntries}
        SELECT ${actorFrom(2)}, 'create', 'Branch', new_id, NULL, ${branchSnapshot('numbered', 'years')}
        FROM numbered ORDER BY new_id
      )`,
    text: `SELECT ${branchSelection} FROM created ORDER BY id`,
    values: [
      JSON.stringify(branches.map(({ years, ...row }) => ({ row: asStored(row), years }))),
      ...actorValues(actor),
    ],
  });
  return created.map(withDates);
}
