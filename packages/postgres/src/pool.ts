import { Pool, type PoolConfig } from 'pg';
import { Client } from './client.ts';
import { connectionOptions } from './options.ts';
import { destroyUnlessRead, socketOf } from './session.ts';

/** Enough for two cores' worth of statements; more would only queue inside PostgreSQL. */
const defaultPoolSize = 10;
/** Idle connections that stay open, for the first requests after a quiet time. */
const idleMin = 4;
/** How long a request waits for a free connection before it gets a 503: shorter than its caller's timeout. */
export const connectionWaitMs = 1_200;
/** Statements take milliseconds; one that takes this long is cancelled, and its request gets a 503. */
const defaultStatementMs = 2_000;
/** Longer waits for a row lock would hold a connection that other requests could use. */
const lockWaitMs = 700;
/** How long a transaction holds its locks after its client is gone; between two statements there are milliseconds. */
const idleInTransactionMs = 3_000;
/** A silent connection is presumed dead (503 within 3 s), some time after PostgreSQL's own timeout. */
const silenceMs = 250;
export const queryTimeoutMs = defaultStatementMs + silenceMs;

const timeouts = (statementMs: number): string[] => [
  `statement_timeout = ${statementMs}`,
  `lock_timeout = ${lockWaitMs}`,
  `idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
];

interface PoolOptions extends PoolConfig {
  /** False: never scan a whole table. A prepared plan does so for as long as PostgreSQL believes the table small. */
  readonly scans?: boolean;
  /** A statement that takes longer is cancelled; 2,000 by default. */
  readonly statementMs?: number;
}

/** Opens a connection pool, which connects with the first statement, or with `prewarm`; close it with `end()`. */
export function openPool(
  url: string,
  { scans = true, statementMs = defaultStatementMs, ...overrides }: PoolOptions = {},
): Pool {
  const settings = [...timeouts(statementMs), ...(scans ? [] : ['enable_seqscan = off'])];
  const pool = new Pool({
    ...connectionOptions(url, { connectionTimeoutMillis: connectionWaitMs, settings }),
    min: Math.min(idleMin, overrides.max ?? defaultPoolSize),
    Client,
    max: defaultPoolSize,
    onConnect: async (client) => {
      if (client instanceof Client) await client.configure();
    },
    ...overrides,
  });
  // Also for clients in use: without a listener, a connection that breaks would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  closeSilentConnections(pool, statementMs + silenceMs);
  return pool;
}

/** Opens the connections that stay open, so that no request waits for that; never rejects. */
export async function prewarm(pool: Pool): Promise<void> {
  const open = async (): Promise<void> => (await pool.connect()).release();
  await Promise.allSettled(Array.from({ length: pool.options.min ?? 0 }, open));
}

/** The driver's `query_timeout` leaves a connection waiting for the lost response, with ROLLBACK queued behind it. */
function closeSilentConnections(pool: Pool, timeoutMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket?.on('timeout', () => destroyUnlessRead(socket));
  });
  pool.on('acquire', (client) => socketOf(client)?.setTimeout(timeoutMs));
  pool.on('release', (_problem, client) => socketOf(client)?.setTimeout(0));
}
