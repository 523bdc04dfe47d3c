import type { Change } from '@service/change-log/epochs';
import type { ChangeKind, Transaction } from '../database/types.ts';

/** Invalidation by a write: everything of a kind, or what a change touched. */
export interface Affected {
  readonly kind: ChangeKind;
  readonly change?: Change | undefined;
}

/** A transaction through Prisma that all writes of a document join. */
export interface OpenTransaction {
  readonly tx: Transaction;
  /** Runs a write in a savepoint, so that a rejected one does not roll back the others. */
  join<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Reads in a savepoint: a statement that fails, or takes too long, does not end the transaction. */
  attempt<Result>(read: () => Promise<Result>): Promise<Result>;
  /** Invalidations by its writes, for after the commit. */
  readonly affected: Affected[];
}
