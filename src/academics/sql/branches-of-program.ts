import type { Actor } from '../../accounts/audit/audit.ts';
import type { Transaction } from '../../database/types.ts';
import type { Year } from '../rules/year-codes.ts';
import { branchSnapshot } from './audit-snapshots.ts';

/** Soft delete: sets `deleted_at`. Each gets an entry in the audit log, in the same statement. */
export async function deleteBranchesOf(
  tx: Transaction,
  actor: Actor,
  programId: number,
  deletedAt: Date,
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH gone AS (
       UPDATE branches SET deleted_at = $2::timestamptz, deleted_with_program = true
       WHERE program_id = $1::int AND deleted_at IS NULL RETURNING *
     )
     INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, before)
     SELECT $3::text, $4::int, $5::text, 'delete', 'Branch', id, ${branchSnapshot()} FROM gone ORDER BY id`,
    programId,
    deletedAt,
    actor.name,
    actor.keyId,
    actor.requestId,
  );
}

export async function restoreBranchesOf(
  tx: Transaction,
  actor: Actor,
  programId: number,
  updatedAt: Date,
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH back AS (
       UPDATE branches SET deleted_at = NULL, deleted_with_program = false, updated_at = $2::timestamptz, version = version + 1
       WHERE program_id = $1::int AND deleted_with_program RETURNING *
     )
     INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
     SELECT $3::text, $4::int, $5::text, 'restore', 'Branch', id, ${branchSnapshot()} FROM back ORDER BY id`,
    programId,
    updatedAt,
    actor.name,
    actor.keyId,
    actor.requestId,
  );
}

/** In one statement; years that stay keep their ids. */
export async function replaceYears(tx: Transaction, branchId: number, years: readonly Year[]): Promise<void> {
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(years)}::json) AS given (year int, code text)
    ), removed AS (
      DELETE FROM branch_years WHERE branch_id = ${branchId} AND year NOT IN (SELECT year FROM given)
    ), renamed AS (
      UPDATE branch_years SET code = given.code FROM given
      WHERE branch_id = ${branchId} AND branch_years.year = given.year AND branch_years.code <> given.code
    )
    INSERT INTO branch_years (branch_id, year, code)
    SELECT ${branchId}, year, code FROM given
    WHERE year NOT IN (SELECT year FROM branch_years WHERE branch_id = ${branchId})
    ORDER BY year`;
}
