import type { Branch, Prisma, Program } from '../generated/prisma/client.ts';
import type { Actor } from './audit.ts';
import type { Transaction } from './client.ts';
import { gathered } from './gathered.ts';
import { branchColumns, dated, programColumns } from './records.ts';
import { select } from './select.ts';

interface New<Row> {
  readonly row: Row;
  /** What the audit log shows of it. */
  readonly shown: Prisma.InputJsonObject;
}

interface NewProgram extends New<Pick<Program, 'name' | 'duration' | 'code'>> {
  readonly actor: Actor;
}

/** Creates a program, and writes into the audit log who did, in one statement; in another's, if there is one. */
export const createProgram = gathered<NewProgram, Program, Program>({
  name: 'create programs',
  before: `WITH given AS MATERIALIZED (
      SELECT nextval('programs_id_seq') AS id, * FROM json_to_recordset($1::json)
        AS program (name text, duration text, code text, actor text, key_id int, request_id text, shown jsonb)
    ), created AS (
      INSERT INTO programs (id, name, duration, code) SELECT id, name, duration, code FROM given RETURNING *
    ), noted AS (
      INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
      SELECT actor, key_id, request_id, 'create', 'Program', id, shown FROM given
    )`,
  // Identifiers are drawn in the order in which the programs are given.
  text: `SELECT ${programColumns} FROM created ORDER BY id`,
  values: (programs) => [
    JSON.stringify(
      programs.map(({ actor: { name: actor, keyId: key_id, requestId: request_id }, row, shown }) => ({
        ...row,
        actor,
        key_id,
        request_id,
        shown,
      })),
    ),
  ],
  answers: (rows) => rows.map(dated),
});

/** What a branch is made of, but for its years. */
export type NewBranch = Pick<Branch, 'programId' | 'name' | 'description' | 'codePrefix' | 'codeIsNumeric'>;

/** Creates a branch, without its years, and writes into the audit log who did, in one statement. */
export async function createBranch(tx: Transaction, actor: Actor, { row, shown }: New<NewBranch>): Promise<Branch> {
  const [created] = await select<Branch>(tx, {
    name: 'create branch',
    before: `WITH created AS (
        INSERT INTO branches (program_id, name, description, code_prefix, code_is_numeric)
        VALUES ($5, $6, $7, $8, $9) RETURNING *
      ), ${noted('Branch')}`,
    text: `SELECT ${branchColumns} FROM created`,
    values: [...valuesOf(actor, shown), row.programId, row.name, row.description, row.codePrefix, row.codeIsNumeric],
  });
  return dated(present(created));
}

/** Writes the audit entry of what was created, with the first four values of the statement. */
function noted(subject: 'Program' | 'Branch'): string {
  return `noted AS (
    INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
    SELECT $1::text, $2::int, $3::text, 'create', '${subject}', id, $4::jsonb FROM created
  )`;
}

function valuesOf({ name, keyId, requestId }: Actor, shown: Prisma.InputJsonObject): unknown[] {
  return [name, keyId, requestId, JSON.stringify(shown)];
}

function present<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('Nothing was created.');
  return row;
}
