import type { Actor } from '../../accounts/audit/audit.ts';
import type { Transaction } from '../../database/types.ts';
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
