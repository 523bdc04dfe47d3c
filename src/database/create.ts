import type { Branch, Prisma, Program } from '../generated/prisma/client.ts';
import type { Actor } from './audit.ts';
import type { Transaction } from './client.ts';
import { branchColumns, dated, programColumns } from './records.ts';
import { select } from './select.ts';

interface New<Row> {
  readonly row: Row;
  /** What the audit log shows of it. */
  readonly shown: Prisma.InputJsonObject;
}

/** Creates a program, and writes into the audit log who did, in one statement. */
export async function createProgram(
  tx: Transaction,
  actor: Actor,
  { row: { name, duration, code }, shown }: New<Pick<Program, 'name' | 'duration' | 'code'>>,
): Promise<Program> {
  const [created] = await select<Program>(tx, {
    name: 'create program',
    before: `WITH created AS (INSERT INTO programs (name, duration, code) VALUES ($5, $6, $7) RETURNING *),
      ${noted('Program')}`,
    text: `SELECT ${programColumns} FROM created`,
    values: [...valuesOf(actor, shown), name, duration, code],
  });
  return dated(present(created));
}

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
