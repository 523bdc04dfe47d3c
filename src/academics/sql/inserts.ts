import { batchedStatement } from '@service/postgres/batched-statement';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { Actor } from '../../accounts/audit/audit.ts';
import { withDates } from '../../database/types.ts';
import type { Branch, BranchYear, Prisma, Program } from '../../generated/prisma/client.ts';
import { sharedDeletionLock } from './locks.ts';
import { branchColumns, programColumns } from './records.ts';

interface New<Row> {
  readonly actor: Actor;
  readonly row: Row;
  readonly snapshot: Prisma.InputJsonObject;
}

type NewProgram = New<Pick<Program, 'name' | 'duration' | 'code'>>;

/** Creates a program with its audit entry, in one statement; concurrent calls of a transaction are batched. */
export const createProgram = batchedStatement<NewProgram, Program, Program>({
  name: 'create programs',
  ctes: `WITH given AS MATERIALIZED (
      SELECT nextval('programs_id_seq') AS id, * FROM json_to_recordset($1::json)
        AS program (name text, duration text, code text, actor text, key_id int, request_id text, snapshot jsonb)
    ), created AS (
      INSERT INTO programs (id, name, duration, code) SELECT id, name, duration, code FROM given RETURNING *
    ), noted AS (
      INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
      SELECT actor, key_id, request_id, 'create', 'Program', id, snapshot FROM given
    )`,
  // Identifiers are in the order of the items.
  text: `SELECT ${programColumns} FROM created ORDER BY id`,
  values: (programs) => [
    JSON.stringify(
      programs.map(({ actor: { name: actor, keyId: key_id, requestId: request_id }, row, snapshot }) => ({
        ...row,
        actor,
        key_id,
        request_id,
        snapshot,
      })),
    ),
  ],
  results: (rows) => rows.map(withDates),
});

export type NewBranch = Pick<Branch, 'programId' | 'name' | 'description' | 'codePrefix' | 'codeIsNumeric'>;

interface NewBranchWithYears extends NewBranch {
  readonly years: readonly Pick<BranchYear, 'year' | 'code'>[];
}

/** Blocks the deletion of the program until the commit; `undefined` when there is none. */
export async function createBranch(
  tx: AnyTransaction,
  { actor, row: { years, ...row }, snapshot }: New<NewBranchWithYears>,
): Promise<Branch | undefined> {
  const [created] = await queryJson<Branch>(tx, {
    name: 'create branch',
    ctes: `WITH turn AS MATERIALIZED (SELECT ${sharedDeletionLock('$1::int')}), created AS (
        INSERT INTO branches (program_id, name, description, code_prefix, code_is_numeric)
        SELECT id, $2::text, $3::text, $4::text, $5::boolean FROM programs
        WHERE id = (SELECT $1::int FROM turn) AND deleted_at IS NULL FOR KEY SHARE
        RETURNING *
      ), numbered AS (
        INSERT INTO branch_years (branch_id, year, code)
        SELECT created.id, year, code FROM created, json_to_recordset($6::json) AS given (year int, code text)
      ), noted AS (
        INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
        SELECT $7::text, $8::int, $9::text, 'create', 'Branch', id, $10::jsonb FROM created
      )`,
    text: `SELECT ${branchColumns} FROM created`,
    values: [
      row.programId,
      row.name,
      row.description,
      row.codePrefix,
      row.codeIsNumeric,
      JSON.stringify(years),
      actor.name,
      actor.keyId,
      actor.requestId,
      JSON.stringify(snapshot),
    ],
  });
  return created && withDates(created);
}

/** As `createBranch`, in one statement; leaves out the branches of programs that do not exist. */
export async function createBranches(
  tx: AnyTransaction,
  actor: Actor,
  branches: readonly Omit<New<NewBranchWithYears>, 'actor'>[],
): Promise<Branch[]> {
  const created = await queryJson<Branch>(tx, {
    name: 'create branches',
    ctes: `WITH given AS MATERIALIZED (
        SELECT * FROM ROWS FROM (json_to_recordset($1::json) AS ("programId" int, name text, description text,
          "codePrefix" text, "codeIsNumeric" boolean, years json, snapshot jsonb)) WITH ORDINALITY
      ), turn AS MATERIALIZED (
        SELECT array_agg("programId") AS ids, count(${sharedDeletionLock('"programId"')})
        FROM (SELECT DISTINCT "programId" FROM given ORDER BY "programId") AS wanted
      ), parents AS MATERIALIZED (
        SELECT id AS "programId" FROM programs
        WHERE id = ANY ((SELECT ids FROM turn)::int[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      ), numbered AS MATERIALIZED (
        SELECT nextval('branches_id_seq') AS id, *
        FROM (SELECT * FROM given JOIN parents USING ("programId") ORDER BY ordinality) AS ordered
      ), created AS (
        INSERT INTO branches (id, program_id, name, description, code_prefix, code_is_numeric)
        SELECT id, "programId", name, description, "codePrefix", "codeIsNumeric" FROM numbered RETURNING *
      ), with_years AS (
        INSERT INTO branch_years (branch_id, year, code)
        SELECT numbered.id, year.year, year.code
        FROM numbered, json_to_recordset(numbered.years) AS year (year int, code text) ORDER BY numbered.id, year.year
      ), noted AS (
        INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
        SELECT $2::text, $3::int, $4::text, 'create', 'Branch', id, snapshot FROM numbered ORDER BY id
      )`,
    text: `SELECT ${branchColumns} FROM created ORDER BY id`,
    values: [
      JSON.stringify(branches.map(({ row, snapshot }) => ({ ...row, snapshot }))),
      actor.name,
      actor.keyId,
      actor.requestId,
    ],
  });
  return created.map(withDates);
}
