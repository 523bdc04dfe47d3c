import { Client } from 'pg';
import { onTestFinished, vi } from 'vitest';
import type { TestDatabase } from './database.ts';

/** A table that nobody else can write to. */
export interface LockedTable {
  /** Waits until a statement waits for the table. */
  waitedFor(): Promise<void>;
  /** Ends the connections whose statements wait for the table, as a crash of their process would. */
  endWaiting(): Promise<void>;
  /** Lets the others go on. */
  release(): Promise<void>;
}

/** Who waits for a lock of this database: others have tables of the same numbers, as they come from one template. */
export const waitingForLocks =
  'FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** Holds a table, so that a request which writes to it stays under way; it is let go at the latest when the test ends. */
export async function lockTable(
  database: TestDatabase,
  table: string,
  mode: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE' = 'SHARE ROW EXCLUSIVE',
): Promise<LockedTable> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ${mode} MODE`);
  let held = true;
  const release = async () => {
    if (held) await client.end();
    held = false;
  };
  onTestFinished(release);
  const waiting = `${waitingForLocks} AND relation = '${table}'::regclass`;
  return {
    waitedFor: () =>
      vi.waitFor(
        async () => {
          const pids = await database.query(`SELECT 1 ${waiting}`);
          if (pids.length === 0) throw new Error(`Nobody waits for ${table}.`);
        },
        { timeout: 5_000, interval: 5 },
      ),
    endWaiting: async () => {
      await database.query(`SELECT pg_terminate_backend(pid, 5000) ${waiting}`);
    },
    release,
  };
}
