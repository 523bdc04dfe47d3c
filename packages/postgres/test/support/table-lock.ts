import { Client } from 'pg';
import { onTestFinished, vi } from 'vitest';
import type { TestDatabase } from './database.ts';

/** A table lock held by the test. */
export interface LockedTable {
  /** Waits until another statement is blocked by the lock. */
  waitUntilBlocking(): Promise<void>;
  /** Terminates the connections that are blocked, as a crash of their backend would. */
  terminateBlocked(): Promise<void>;
  /** Runs a statement in the transaction that holds the lock. */
  query(statement: string): Promise<void>;
  release(): Promise<void>;
}

/** Blocked locks of this database; clones of one template share table OIDs, hence the filter. */
export const waitingForLocks =
  'FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** Locks a table, so that a request that writes to it stays in flight; released when the test ends at the latest. */
export async function lockTable(
  database: TestDatabase,
  table: string,
  mode: 'ACCESS SHARE' | 'SHARE UPDATE EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE' = 'SHARE ROW EXCLUSIVE',
): Promise<LockedTable> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ${mode} MODE`);
  let isHeld = true;
  const release = async () => {
    if (isHeld) await client.end();
    isHeld = false;
  };
  onTestFinished(release);
  const waiting = `${waitingForLocks} AND relation = '${table}'::regclass`;
  return {
    waitUntilBlocking: () =>
      vi.waitFor(
        async () => {
          const pids = await database.query(`SELECT 1 ${waiting}`);
          if (pids.length === 0) throw new Error(`Nothing is blocked by the lock on ${table}.`);
        },
        { timeout: 20_000, interval: 5 },
      ),
    terminateBlocked: async () => {
      await database.query(`SELECT pg_terminate_backend(pid, 5000) ${waiting}`);
    },
    query: async (statement) => {
      await client.query(statement);
    },
    release,
  };
}
