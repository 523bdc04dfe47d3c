import type { Branch, Program } from '../../generated/prisma/client.ts';
import { lockOrNotFound } from '../connection/lock.ts';
import type { Transaction } from '../connection/types.ts';

const programRow = 'SELECT 1 FROM programs WHERE id = $1 FOR UPDATE';
const branchRow = 'SELECT 1 FROM branches WHERE id = $1 FOR UPDATE';
const branchAndProgramRow = `SELECT 1 FROM programs JOIN branches ON branches.program_id = programs.id
  WHERE branches.id = $1 FOR SHARE OF programs FOR UPDATE OF branches`;

/** Also blocks new branches of the program; throws `NOT_FOUND`. */
export const lockProgram = (tx: Transaction, id: number): Promise<Program> =>
  lockOrNotFound(tx, {
    kind: 'Program',
    id,
    lock: programRow,
    read: () => tx.program.findUnique({ where: { id, deletedAt: null } }),
  });

/** Deleted or not; throws `NOT_FOUND`. */
export const lockAnyProgram = (tx: Transaction, id: number): Promise<Program> =>
  lockOrNotFound(tx, { kind: 'Program', id, lock: programRow, read: () => tx.program.findUnique({ where: { id } }) });

/** FOR SHARE, so that a branch can be added to it; `false` when it does not exist. */
export async function lockParent(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`SELECT 1 FROM programs WHERE id = ${id} AND deleted_at IS NULL FOR SHARE`;
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
