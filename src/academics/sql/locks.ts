import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import { lockOrNotFound } from '../../database/lock.ts';
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
export async function lockParent(tx: AnyTransaction, id: number): Promise<boolean> {
  const text = `${queuedProgramRow(sharedDeletionLock('$1::int'))} AND deleted_at IS NULL FOR KEY SHARE`;
  const found = await queryJson(tx, { text, values: [id] });
  return found.length > 0;
}

export const lockRows = async (tx: AnyTransaction, select: string, values: unknown[]): Promise<void> => {
  await queryJson(tx, { text: `SELECT count(*) FROM (${select}) AS locked`, values });
};

/** Deleted or not, in the order of their ids. */
export const lockPrograms = (
  tx: AnyTransaction,
  ids: readonly number[],
  strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
): Promise<void> => lockRows(tx, `SELECT FROM programs WHERE id = ANY ($1::int[]) ORDER BY id ${strength}`, [ids]);

/** Advisory locks that one transaction takes: all of a server share a table of some 6,400. */
const turnsMax = 100;

/** Also blocks new branches of the programs. More than `turnsMax` do not queue with creations of branches. */
export async function lockProgramsForDeletion(tx: AnyTransaction, ids: readonly number[]): Promise<void> {
  if (ids.length <= turnsMax) {
    const lock = `pg_advisory_xact_lock(${advisoryLocks.deletion}, id)`;
    const text = `SELECT count(${lock}) FROM (SELECT DISTINCT unnest($1::int[]) AS id ORDER BY id) AS given`;
    await queryJson(tx, { text, values: [ids] });
  }
  await lockPrograms(tx, ids, 'FOR UPDATE');
}

/** In the order of their ids. */
export const lockBranches = (tx: AnyTransaction, column: 'id' | 'program_id', ids: readonly number[]): Promise<void> =>
  lockRows(tx, `SELECT FROM branches WHERE ${column} = ANY ($1::int[]) ORDER BY id FOR UPDATE`, [ids]);

/** Blocks the deletion of the programs of these branches, so that those can be restored. */
export const lockParents = (tx: AnyTransaction, branchIds: readonly number[]): Promise<void> =>
  lockRows(
    tx,
    `SELECT FROM programs WHERE id IN (SELECT program_id FROM branches WHERE id = ANY ($1::int[]))
    ORDER BY id FOR KEY SHARE`,
    [branchIds],
  );

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
