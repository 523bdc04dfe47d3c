import { advisoryLocks, lockOrNotFound } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';

/**
 * Row locks do not queue: while others share the row (FOR KEY SHARE), more may join, and a deletion (FOR UPDATE) would
 * wait for as long as branches are created without a pause. So both take an advisory lock first.
 */
export const sharedDeletionLock = (programId: string): string =>
  `pg_advisory_xact_lock_shared(${advisoryLocks.deletion}, ${programId})`;
const deletionLock = `pg_advisory_xact_lock(${advisoryLocks.deletion}, $1::int)`;

const programRow = 'SELECT 1 FROM programs WHERE id = $1';
/** The row is looked up by a value of the first lock, so that it is the second. */
const queuedProgramRow = (lock: string): string =>
  `WITH turn AS MATERIALIZED (SELECT ${lock}) SELECT 1 FROM programs WHERE id = (SELECT $1::int FROM turn)`;
const branchRow = 'SELECT 1 FROM branches WHERE id = $1 FOR UPDATE';
const branchAndProgramRow = `SELECT 1 FROM programs JOIN branches ON branches.program_id = programs.id
  WHERE branches.id = $1 FOR KEY SHARE OF programs FOR UPDATE OF branches`;

const lockExistingProgram = (tx: Transaction, id: number, lock: string): Promise<Program> =>
  lockOrNotFound(tx, {
    kind: 'Program',
    id,
    lock,
    read: () => tx.program.findUnique({ where: { id, deletedAt: null } }),
  });

/** For an update: new branches of the program are not blocked. Throws `NOT_FOUND`. */
export const lockProgram = (tx: Transaction, id: number): Promise<Program> =>
  lockExistingProgram(tx, id, `${programRow} FOR NO KEY UPDATE`);

/** Also blocks new branches of the program; throws `NOT_FOUND`. */
export const lockProgramForDeletion = (tx: Transaction, id: number): Promise<Program> =>
  lockExistingProgram(tx, id, `${queuedProgramRow(deletionLock)} FOR UPDATE`);

/** Deleted or not; throws `NOT_FOUND`. */
export const lockAnyProgram = (tx: Transaction, id: number): Promise<Program> =>
  lockOrNotFound(tx, {
    kind: 'Program',
    id,
    lock: `${programRow} FOR UPDATE`,
    read: () => tx.program.findUnique({ where: { id } }),
  });

/** Blocks its deletion, so that a branch can be added to it; `false` when it does not exist. */
export async function lockParent(tx: Transaction, id: number): Promise<boolean> {
  const lock = `${queuedProgramRow(sharedDeletionLock('$1::int'))} AND deleted_at IS NULL FOR KEY SHARE`;
  const found = await tx.$queryRawUnsafe<unknown[]>(lock, id);
  return found.length > 0;
}

type BranchAndLength = Branch & { readonly _count: { readonly years: number } };

/** With the number of its years; throws `NOT_FOUND`. */
export const lockBranch = (tx: Transaction, id: number): Promise<BranchAndLength> =>
  lockOrNotFound(tx, {
    kind: 'Branch',
    id,
    lock: branchRow,
    read: () =>
      tx.branch.findUnique({ where: { id, deletedAt: null }, include: { _count: { select: { years: true } } } }),
  });

/** Deleted or not; also locks its program, so that that is not deleted concurrently. */
export const lockAnyBranch = (tx: Transaction, id: number): Promise<Branch & { readonly program: Program }> =>
  lockOrNotFound(tx, {
    kind: 'Branch',
    id,
    lock: branchAndProgramRow,
    read: () => tx.branch.findUnique({ where: { id }, include: { program: true } }),
  });
