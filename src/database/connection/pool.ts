import { Socket } from 'node:net';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { Client } from './client.ts';
import { connectionOptions } from './options.ts';
import { isPooled } from './pooler.ts';

/** Enough for two cores' worth of statements; more would only queue inside PostgreSQL. */
const defaultPoolSize = 10;
/** Idle connections that stay open, for the first requests after a quiet time. */
const idleMin = 4;
/** How long a request waits for a free connection before it gets a 503: shorter than its caller's timeout. */
const connectionWaitMs = 1_200;
/** Our statements take milliseconds; one that takes this long is cancelled, and its request gets a 503. */
const statementMs = 2_000;
/** Longer waits for a row lock would hold a connection that other requests could use. */
const lockWaitMs = 700;
/**
 * How long a transaction keeps its locks after its client's host or network is gone. Between two of our statements
 * there are milliseconds.
 */
const idleInTransactionMs = 3_000;
/**
 * A connection in use without traffic for this long is presumed dead: it is closed, and its request gets a 503 within
 * 3 seconds. Longer than `statementMs`, so that PostgreSQL's own timeout comes first.
 */
export const queryTimeoutMs = 2_250;

/**
 * Opens a connection pool. It connects with the first statement, or with `prewarm`; close it with `end()`.
 *
 * @param overrides settings of `pg` in place of the defaults.
 */
export function openPool(url: string, overrides: PoolConfig = {}): Pool {
  const pooled = isPooled(url);
  const pool = new Pool({
    ...connectionOptions(url, { connectionTimeoutMillis: connectionWaitMs }),
    min: Math.min(idleMin, overrides.max ?? defaultPoolSize),
    Client,
    max: defaultPoolSize,
    onConnect: async (client) => {
      if (client instanceof Client) await (pooled ? limitTransactions(client) : limitSession(client));
    },
    ...overrides,
  });
  // A broken idle connection leaves the pool, and the next request opens another. The listener on each client is for
  // one that breaks while it is acquired, which would otherwise end the process; its statements report the error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  closeSilentConnections(pool);
  return pool;
}

/**
 * Sets the timeouts of a session. Not as startup parameters: poolers such as PgBouncer reject or ignore those.
 *
 * @throws Error when the server does not respond in time.
 */
async function limitSession(client: Client): Promise<void> {
  const socket = socketOf(client);
  const cut = (): void => void socket?.destroy();
  socket?.setTimeout(connectionWaitMs, cut);
  await client.query(timeoutSettings('SESSION'));
  socket?.setTimeout(0).off('timeout', cut);
}

/**
 * Sets the timeouts of each transaction, for poolers in transaction mode, where session settings would leak to other
 * clients. They are sent along with `BEGIN`, so that no transaction is ever without them.
 */
function limitTransactions(client: Client): void {
  const { connection } = client;
  const send = connection.query.bind(connection);
  connection.query = (text) => send(/^BEGIN\b[^;]*$/.test(text) ? `${text}; ${timeoutSettings('LOCAL')}` : text);
}

function timeoutSettings(scope: 'SESSION' | 'LOCAL'): string {
  return `SET ${scope} statement_timeout = ${statementMs};
    SET ${scope} lock_timeout = ${lockWaitMs};
    SET ${scope} idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
}

/** Opens a pool's idle connections in advance, so that no request waits for that; never rejects. */
export async function prewarm(pool: Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()));
  for (const result of opened) if (result.status === 'fulfilled') result.value.release();
}

/**
 * A socket timeout in place of the driver's `query_timeout`, which leaves the connection waiting for the lost response
 * with the transaction's ROLLBACK queued behind it. A closed connection fails everything at once and never returns to
 * the pool.
 */
function closeSilentConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket?.on('timeout', () => socket.destroy());
  });
  pool.on('acquire', (client) => socketOf(client)?.setTimeout(queryTimeoutMs));
  pool.on('release', (_problem, client) => socketOf(client)?.setTimeout(0));
}

function socketOf(client: Client | PoolClient): Socket | undefined {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : undefined;
}
