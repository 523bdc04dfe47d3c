import { Socket } from 'node:net';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { Client } from './client.ts';
import { isPooled } from './pooler.ts';

/** Enough for two cores' worth of statements; more would only queue inside PostgreSQL. */
const defaultPoolSize = 10;
/** So many stay open when nobody needs them, for those who come first after a while. */
const keptOpen = 4;
/** Whoever is between us and the database forgets a connection on which nothing is heard for minutes. */
const keepAliveMs = 30_000;
/** How long a request waits for a connection before it is answered 503: shorter than its caller's patience. */
const connectionWaitMs = 1_200;
/** A statement of ours takes milliseconds; one that takes this long is cancelled, and its request answered 503. */
const statementMs = 2_000;
/** Who waits longer for a row that somebody else changes holds a connection that others could use. */
const lockWaitMs = 700;
/**
 * A transaction whose owner has fallen silent, because its host or its network is gone, keeps its locks this long.
 * Between two statements of ours there are milliseconds.
 */
const idleInTransactionMs = 3_000;
/**
 * A connection in use on which nothing has moved for this long leads nowhere: it is cut off, and its request
 * answered 503 within 3 seconds. Longer than `statementMs`, so that PostgreSQL itself has the first word.
 */
export const queryTimeoutMs = 2_250;

/**
 * Opens a pool of connections. None is made before the first statement, or before `warm`; close it with `end()`.
 *
 * @param others settings of the driver that a pool of another kind has.
 */
export function openPool(url: string, others: PoolConfig = {}): Pool {
  const pooled = isPooled(url);
  const pool = new Pool({
    min: Math.min(keptOpen, others.max ?? defaultPoolSize),
    connectionString: url,
    Client,
    max: defaultPoolSize,
    connectionTimeoutMillis: connectionWaitMs,
    onConnect: async (client) => {
      if (client instanceof Client) await (pooled ? limitTransactions(client) : limitSession(client));
    },
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...others,
  });
  // An idle connection that breaks leaves the pool; the next request makes another, or says that it cannot. One that
  // breaks while it is handed over has nobody else who listens, which would end the process: its statements tell.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  cutOffSilentConnections(pool);
  return pool;
}

/**
 * Limits a session's statements. Not by parameters of the connection's start: poolers refuse or ignore those.
 *
 * @throws Error when the connection does not answer in time.
 */
async function limitSession(client: Client): Promise<void> {
  const socket = socketOf(client);
  const cut = (): void => void socket?.destroy();
  socket?.setTimeout(connectionWaitMs, cut);
  await client.query(timeoutSettings('SESSION'));
  socket?.setTimeout(0).off('timeout', cut);
}

/**
 * Limits transactions, where no setting outlasts one. The settings go along with `BEGIN`, so that there is no moment in
 * which a transaction is without them; what is no transaction leaves none behind.
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

/** Opens the connections that a pool keeps open, so that no request waits for that; some, when not all can be had. */
export async function prewarm(pool: Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()));
  for (const one of opened) if (one.status === 'fulfilled') one.value.release();
}

/**
 * The driver's own `query_timeout` leaves the connection waiting for the lost answer, with the transaction's ROLLBACK
 * behind it. A connection that is cut off fails all that is sent on it at once, and never goes back into the pool.
 */
function cutOffSilentConnections(pool: Pool): void {
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
