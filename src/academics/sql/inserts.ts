import { batchedStatement } from '@service/postgres/batched-statement';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { z } from 'zod';
import type { Branch, BranchYear, Prisma, Program } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import { asStored, branchFields, columnsOf, programFields } from './columns.ts';
import { sharedDeletionLock } from './locks.ts';
import { branchSelection, programSelection, withDates } from './records.ts';

interface New<Row> {
  readonly actor: Actor;
  readonly row: Row;
  readonly snapshot: Prisma.InputJsonObject;
}

type NewProgram = New<z.output<typeof programFields>>;

const programColumnsGiven = columnsOf(programFields).join(', ');
const branchColumnsGiven = columnsOf(branchFields).join(', ');

/** Creates a program with its audit entry, in one statement; concurrent calls of a transaction are batched. */
export const insertProgram = batchedStatement<NewProgram, Program, Program>({
  name: 'create programs',
  ctes: `WITH given AS MATERIALIZED (
      SELECT nextval('programs_id_seq') AS new_id, (json_populate_record(NULL::programs, row)).*, actor, key_id,
        request_id, change_id, snapshot
      FROM json_to_recordset($1::json)
        AS given (row json, actor text, key_id int, request_id text, change_id uuid, snapshot jsonb)
    ), created AS (
      INSERT INTO programs (id, ${programColumnsGiven}) SELECT new_id, ${programColumnsGiven} FROM given RETURNING *
    ), noted AS (
      INSERT INTO audit_entries (actor, key_id, request_id, change_id, action, subject, subject_id, after)
      SELECT actor, key_id, request_id, change_id, 'create', 'Program', new_id, snapshot FROM given
    )`,
  // Identifiers are in the order of the items.
  text: `SELECT ${programSelection} FROM created ORDER BY id`,
  values: (programs) => [
    JSON.stringify(
      programs.map(({ actor: { name: actor, ...rest }, row, snapshot }) => ({
        row: asStored(row),
        actor,
        ...asStored(rest),
        snapshot,
      })),
    ),
  ],
  results: (rows) => rows.map(withDates),
});

type NewBranch = z.output<typeof branchFields>;

interface NewBranchWithYears extends NewBranch {
  readonly years: readonly Pick<BranchYear, 'year' | 'code'>[];
}

/** Blocks the deletion of the program until the commit; `undefined` when there is none. */
export async function insertBranch(
  tx: AnyTransaction,
  { actor, row: { years, ...row }, snapshot }: New<NewBranchWithYears>,
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
        INSERT INTO branch_years (branch_id, year, code)
        SELECT created.id, given.year, given.code FROM created, json_to_recordset($3::json) AS given (year int, code text)
      ), noted AS (
        INSERT INTO audit_entries (actor, key_id, request_id, change_id, action, subject, subject_id, after)
        SELECT $4::text, $5::int, $6::text, $7::uuid, 'create', 'Branch', id, $8::jsonb FROM created
      )`,
    text: `SELECT ${branchSelection} FROM created`,
    values: [
      row.programId,
      JSON.stringify(asStored(row)),
      JSON.stringify(years),
      actor.name,
      actor.keyId,
      actor.requestId,
      actor.changeId,
      JSON.stringify(snapshot),
    ],
  });
  return created && withDates(created);
}

/** As `insertBranch`, in one statement; leaves out the branches of programs that do not exist. */
export async function insertBranches(
  tx: AnyTransaction,
  actor: Actor,
  branches: readonly Omit<New<NewBranchWithYears>, 'actor'>[],
): Promise<Branch[]> {
  const created = await queryJson<Branch>(tx, {
    name: 'create branches',
    ctes: `WITH given AS MATERIALIZED (
        SELECT (json_populate_record(NULL::branches, row)).*, years, snapshot, ordinality
        FROM ROWS FROM (json_to_recordset($1::json) AS (row json, years json, snapshot jsonb)) WITH ORDINALITY
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
        INSERT INTO branch_years (branch_id, year, code)
        SELECT new_id, year.year, year.code
        FROM numbered, json_to_recordset(numbered.years) AS year (year int, code text) ORDER BY new_id, year.year
      ), noted AS (
        INSERT INTO audit_entries (actor, key_id, request_id, change_id, action, subject, subject_id, after)
        SELECT $2::text, $3::int, $4::text, $5::uuid, 'create', 'Branch', new_id, snapshot FROM numbered ORDER BY new_id
      )`,
    text: `SELECT ${branchSelection} FROM created ORDER BY id`,
    values: [
      JSON.stringify(branches.map(({ row: { years, ...row }, snapshot }) => ({ row: asStored(row), years, snapshot }))),
      actor.name,
      actor.keyId,
      actor.requestId,
      actor.changeId,
    ],
  });
  return created.map(withDates);
}
