// Locks, and the clock: what all instances have in common.

import type { Transaction } from './types.ts';

/** Keys of the advisory locks of a database, which spell `uas1` to `uas5`. */
export const advisoryLocks = {
  /** The migrating transaction; other instances wait for it. */
  migration: 0x75_61_73_31,
  /** The instance that creates the first key. */
  bootstrap: 0x75_61_73_32,
  /** Imports run one at a time, so that two of the same file create nothing twice. */
  import: 0x75_61_73_33,
  /** Taken with the id of a program: its deletion queues with the creations of its branches, in the order of arrival. */
  deletion: 0x75_61_73_34,
  /**
   * Keys are made and changed one at a time, so that none is made with one that is being revoked. Locked after users.
   */
  keys: 0x75_61_73_35,
} as const;

/** No other transaction makes or changes keys until this one ends; returns the time of the database from then on. */
export async function lockKeys(tx: Transaction): Promise<Date> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.keys})`;
  return databaseNow(tx);
}

/** Returns the time of the database's clock, which all instances share, in whole milliseconds. */
export async function databaseNow(db: Transaction): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (row === undefined) throw new Error('The database returned no time.');
  return row.now;
}
