// Locks, and the clock: what all instances have in common.

import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import type { Transaction } from './types.ts';

/** Keys of the advisory locks of a database, which spell `uas1` and so on. */
export const advisoryLocks = {
  /** The migrating transaction; other instances wait for it. */
  migration: 0x75_61_73_31,
  /** The instance that creates the first key. */
  bootstrap: 0x75_61_73_32,
  /** Imports run one at a time, so that two of the same file create nothing twice. */
  import: 0x75_61_73_33,
  /**
   * Taken with the id of a program: its deletion queues with the creations of its branches, in the order of arrival. With
   * 0, of all programs: the deletion of many.
   */
  deletion: 0x75_61_73_34,
  /**
   * Users and keys are made and changed one transaction at a time: two administrators cannot demote each other at once, nor
   * is a key made with one that is being revoked. One lock of both has one queue, in which all that wait get their turn.
   */
  accounts: 0x75_61_73_35,
  /** Taken with the id of a program that has many branches: their bytes are counted one transaction after the other. */
  room: 0x75_61_73_37,
  /** Taken with the id of a definition: who removes a choice queues with those who may set one. */
  definition: 0x75_61_73_38,
} as const;

/** Longer than a document with a key holds locks (`documentMs`), shorter than a statement may take. */
const patienceMs = 1_900;
/** Kept by transactions that wait longer. */
const patience = `greatest(${patienceMs}, extract(epoch FROM current_setting('lock_timeout')::interval) * 1000)::int::text`;

/** Takes the advisory locks of a SELECT, and waits for each in a queue. */
export async function queueFor(tx: AnyTransaction, locks: string, values: unknown[] = []): Promise<void> {
  await timeAfter(tx, locks, values);
}

/** The time of the database when all are taken; `undefined` when there are none. */
async function timeAfter(tx: AnyTransaction, locks: string, values: unknown[]): Promise<Date | undefined> {
  const [row] = await queryJson<{ now: Date | null }>(tx, {
    ctes: `WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', ${patience}, true))`,
    text: `SELECT count(locked), date_trunc('milliseconds', max(clock_timestamp())) AS now
      FROM patience CROSS JOIN LATERAL (${locks}) AS turn (locked)`,
    values,
  });
  return row?.now == null ? undefined : new Date(row.now);
}

/** SQL that takes the turn of a name, by 64 bits of its SHA-256: of a shorter hash, whoever has a name had the turn of others. */
export const lockOfTurn = `SELECT pg_advisory_xact_lock(('x' || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 16))::bit(64)::bigint)`;

/**
 * Waits until no other transaction has the turn of this name, a user's; it lasts until this one ends. Taken before a lock
 * that all share: others wait for one transaction of a user at most.
 */
export const takeTurn = (tx: AnyTransaction, name: string): Promise<void> => queueFor(tx, lockOfTurn, [name]);

/** When transactions have taken the lock of users and keys: each takes it with one statement, however often it asks. */
const accountsLockedAt = new WeakMap<Transaction, Promise<Date>>();

/** No other transaction changes users or keys until this one ends; returns the time of the database when that began. */
export function lockAccounts(tx: Transaction): Promise<Date> {
  const lockedAt = accountsLockedAt.get(tx) ?? lockedAccounts(tx);
  accountsLockedAt.set(tx, lockedAt);
  return lockedAt;
}

async function lockedAccounts(tx: Transaction): Promise<Date> {
  return known(await timeAfter(tx, `SELECT pg_advisory_xact_lock(${advisoryLocks.accounts})`, []));
}

/** Returns the time of the database's clock, which all instances share, in whole milliseconds. */
export async function databaseNow(db: Transaction): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  return known(row?.now);
}

function known(now: Date | undefined): Date {
  if (now === undefined) throw new Error('The database returned no time.');
  return now;
}
