import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { advisoryLocks, queueFor } from '../../database/locks.ts';

// Programs are locked before branches, and both in the order of their ids, so that no two mutations deadlock. The mutations
// of a document with an idempotency key are one transaction: two documents can deadlock, and one is `UNAVAILABLE`.

/**
 * Locks out deletions by a shared advisory lock. Row locks do not queue: while some share the row (FOR KEY SHARE), more
 * may join, and a deletion (FOR UPDATE) would wait for as long as branches are created without a pause.
 */
export const sharedDeletionLock = (programId: string): string =>
  `pg_advisory_xact_lock_shared(${advisoryLocks.deletion}, ${programId})`;

/** Limit of advisory locks in a transaction: a whole server has some 6,400. */
const deletionLocksMax = 100;

/** Locks out creations of branches, of more programs all at once, until the transaction ends. */
async function lockOutCreations(tx: AnyTransaction, programIds: string, values: unknown[]): Promise<void> {
  const locks = `WITH given AS MATERIALIZED (SELECT DISTINCT id FROM (${programIds}) AS given (id)), due AS MATERIALIZED (
      SELECT id FROM given WHERE (SELECT count(*) FROM given) <= ${deletionLocksMax}
      UNION ALL SELECT 0 WHERE (SELECT count(*) FROM given) > ${deletionLocksMax}
      ORDER BY id
    ) SELECT pg_advisory_xact_lock(${advisoryLocks.deletion}, id) FROM due`;
  await queueFor(tx, locks, values);
}

/** Locks the rows of a SELECT, which says the order and the lock. */
export async function lockRows(tx: AnyTransaction, select: string, values: unknown[]): Promise<void> {
  await queryJson(tx, { text: `SELECT count(*) FROM (${select}) AS locked`, values });
}

/** Deleted or not; does not block new branches of the programs. */
export const lockPrograms = (tx: AnyTransaction, ids: readonly number[]): Promise<void> =>
  lockRows(tx, 'SELECT FROM programs WHERE id = ANY ($1::int[]) ORDER BY id FOR NO KEY UPDATE', [ids]);

/** Blocks new branches of the programs of a SELECT too. */
export async function lockProgramsForDeletion(
  tx: AnyTransaction,
  programIds: string,
  values: unknown[],
): Promise<void> {
  await lockOutCreations(tx, programIds, values);
  await lockRows(tx, `SELECT FROM programs WHERE id IN (${programIds}) ORDER BY id FOR UPDATE`, values);
}

/** Blocks the deletion of a program, so that branches can be moved to it; `false` when it does not exist. */
export async function lockParent(tx: AnyTransaction, id: number): Promise<boolean> {
  // The row is looked up by a value of the first lock, so that it is the second.
  const text = `WITH turn AS MATERIALIZED (
      SELECT ${sharedDeletionLock('0')}, ${sharedDeletionLock('$1::int')}
    ) SELECT 1 FROM programs WHERE id = (SELECT $1::int FROM turn) AND deleted_at IS NULL FOR KEY SHARE`;
  const found = await queryJson(tx, { text, values: [id] });
  return found.length > 0;
}

/** Blocks the deletion of the programs of these branches, so that those can be restored. */
export const lockParents = (tx: AnyTransaction, branchIds: readonly number[]): Promise<void> =>
  lockRows(
    tx,
    `SELECT FROM programs WHERE id IN (SELECT program_id FROM branches WHERE id = ANY ($1::int[]))
    ORDER BY id FOR KEY SHARE`,
    [branchIds],
  );

/** Deleted or not. */
export const lockBranches = (tx: AnyTransaction, column: 'id' | 'program_id', ids: readonly number[]): Promise<void> =>
  lockRows(tx, `SELECT FROM branches WHERE ${column} = ANY ($1::int[]) ORDER BY id FOR UPDATE`, [ids]);
