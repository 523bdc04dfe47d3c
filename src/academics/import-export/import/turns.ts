// Whose turn it is: imports change the catalog one after the other, and no user takes the turns of others.
import { ServiceError } from '@service/errors';
import { sqlState } from '@service/postgres/errors';
import { createSharedLimit } from '@service/postgres/limits';
import { type Client, DatabaseError } from 'pg';
import { advisoryLocks, lockOfTurn } from '../../../database/locks.ts';
import { problem } from '../../../validation/problems.ts';

/** Imports of an instance that wait in the database or run, one of a user: each has a connection. */
const importsMax = 2;
/** Dry runs of an instance at a time, one of a user: they take memory, and a connection each. */
const dryRunsMax = 2;
/** Longer than the import of most files; clients and proxies have minutes for an import (`docs/rest.md`). */
export const importWaitMs = 60_000;
const retryAfterSeconds = 5;

interface Wait {
  readonly user: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

export interface ImportTurn {
  /** Waits for the imports of others, of all instances, in a transaction that has done nothing yet. */
  readonly waitForImports: (client: Client) => Promise<void>;
}

export type InTurn = <Result>(wait: Wait, work: (turn: ImportTurn) => Promise<Result>) => Promise<Result>;

/**
 * Lets files wait for each other in the order of their arrival, those of one user first for their own: others wait for one
 * of them at most. An import that waits keeps no dry run waiting: it has a file in memory, and nothing of the database but
 * a connection.
 * @throws ServiceError `UNAVAILABLE` for one that has waited for too long.
 */
export function createImportTurns(waitMs: number): InTurn {
  const wait = { ofOwnerMax: 1, timeoutMs: waitMs, onTimeout: busy };
  const imports = createSharedLimit(importsMax, wait);
  const dryRuns = createSharedLimit(dryRunsMax, wait);
  return ({ user, dryRun, signal }, work) => {
    const until = performance.now() + waitMs;
    const files = dryRun ? dryRuns : imports;
    return files(user)(() => work({ waitForImports: (client) => waitForImports(client, user, until) }), signal);
  };
}

/** The turn of the user's imports comes before the lock that all share. */
async function waitForImports(client: Client, user: string, until: number): Promise<void> {
  const locks: readonly [string, unknown[]][] = [
    [lockOfTurn, [`imports by ${user}`]],
    [lockOfImports, [advisoryLocks.import]],
  ];
  try {
    for (const [lock, values] of locks) {
      await client.query(`SET LOCAL lock_timeout = ${Math.max(1, Math.ceil(until - performance.now()))}`);
      await client.query(lock, values);
    }
  } catch (problem) {
    throw problem instanceof DatabaseError && problem.code === sqlState.lockNotAvailable ? busy() : problem;
  }
  await client.query('SET LOCAL lock_timeout = 0');
}

const lockOfImports = 'SELECT pg_advisory_xact_lock($1)';

/** The same without end: of the command line, which has read its file by then, and nothing of the catalog. */
export async function lockImports(client: Client): Promise<void> {
  await client.query(lockOfImports, [advisoryLocks.import]);
}

const busy = (): ServiceError => new ServiceError('UNAVAILABLE', problem('IMPORT_RUNNING'), { retryAfterSeconds });
