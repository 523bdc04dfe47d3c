import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
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
const statementTimeoutMs = 2_000;
/** A longer wait for a row lock would hold a connection that other requests could use. */
const lockTimeoutMs = 700;
/** How long a transaction holds its locks after its client is gone; between two statements there are milliseconds. */
const idleInTransactionMs = 3_000;
/** A silent connection is presumed dead (503 within 3 s), some time after PostgreSQL's own timeout. */
const silenceMs = 250;
export const queryTimeoutMs = statementTimeoutMs + silenceMs;

const timeoutSettings = ({ statement, lock }: Timeouts): string[] => [
  `statement_timeout = ${statement}`,
  `lock_timeout = ${lock}`,
  `idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
];

interface PoolOptions extends PoolConfig {
  /**
   * False forbids sequential scans, so that a prepared plan, made once, suits all values: PostgreSQL would scan a table
   * for as long as it believes it small, and planning a page with all levels takes as long as reading it.
   */
  readonly scans?: boolean;
  /** Timeouts in place of the usual ones. */
  readonly timeouts?: Timeouts;
  /** In the name of its sessions. */
  readonly purpose?: string | undefined;
}

/** Milliseconds after which PostgreSQL cancels a statement, or its wait for a lock. */
export interface Timeouts {
  readonly statement: number;
  readonly lock: number;
}

const usual: Timeouts = { statement: statementTimeoutMs, lock: lockTimeoutMs };

/** Opens a connection pool, which connects with the first statement, or with `prewarm`; close it with `end()`. */
export function openPool(
  url: string,
  { scans = true, timeouts = usual, purpose, ...overrides }: PoolOptions = {},
): Pool {
  const planOnce = ['enable_seqscan = off', 'plan_cache_mode = force_generic_plan'];
  const settings = [...timeoutSettings(timeouts), ...(scans ? [] : planOnce)];
  const pool = new Pool({
    ...connectionOptions(url, {
      connectionTimeoutMillis: connectionWaitMs,
      settings,
      ...(purpose !== undefined && { purpose }),
    }),
    min: Math.min(idleMin, overrides.max ?? defaultPoolSize),
    Client,
    max: defaultPoolSize,
    onConnect: async (client) => {
      if (client instanceof Client) await client.configure();
    },
    ...overrides,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', () => undefined);
  closeSilentConnections(pool, timeouts.statement + silenceMs);
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

export interface PipelinedPool {
  query<Row extends object>(statement: QueryConfig): Promise<QueryResult<Row>>;
  prewarm(): Promise<void>;
  close(): Promise<void>;
}

/** Two, so that one slow statement does not block all others. */
const usualCount = 2;

interface PipelinedOptions {
  readonly purpose?: string;
  readonly connectionCount?: number;
}

interface PipelinedConnection {
  inFlight: number;
  connection?: Promise<PoolClient> | undefined;
  client?: PoolClient | undefined;
}

/** Sends statements without waiting for earlier results: a backend's sleep and wake-up outlast a quick statement. */
export function openPipelinedPool(
  url: string,
  { purpose, connectionCount = usualCount }: PipelinedOptions = {},
): PipelinedPool {
  const pool = openPool(url, {
    purpose,
    max: connectionCount,
    min: connectionCount,
    pipeline: true,
    // No scans: these statements search by identifiers alone.
    scans: false,
  });
  const slots: readonly PipelinedConnection[] = Array.from({ length: connectionCount }, () => ({
    inFlight: 0,
  }));

  const release = (slot: PipelinedConnection, broken: boolean): void => {
    const { client } = slot;
    slot.connection = undefined;
    slot.client = undefined;
    client?.release(broken);
  };

  pool.on('connect', (client) =>
    client.once('end', () => {
      for (const slot of slots) if (slot.client === client) release(slot, true);
    }),
  );

  const connect = async (slot: PipelinedConnection): Promise<PoolClient> => {
    try {
      const client = await pool.connect();
      slot.client = client;
      return client;
    } catch (problem) {
      slot.connection = undefined;
      throw problem;
    }
  };

  const send = async <Row extends object>(slot: PipelinedConnection, client: PoolClient, statement: QueryConfig) => {
    try {
      return await inTime(client, client.query<Row>(statement));
    } catch (problem) {
      // An error from PostgreSQL itself proves that the connection works.
      if (!(problem instanceof DatabaseError) && slot.client === client) release(slot, true);
      throw problem;
    }
  };

  return {
    query: async (statement) => {
      const slot = slots.reduce((best, other) => (other.inFlight < best.inFlight ? other : best));
      slot.inFlight += 1;
      try {
        slot.connection ??= connect(slot);
        return await send(slot, await slot.connection, statement);
      } finally {
        slot.inFlight -= 1;
        if (slot.inFlight === 0) release(slot, false);
      }
    },
    prewarm: () => prewarm(pool),
    close: () => pool.end(),
  };
}

/** A timeout for each statement, not for the socket, which other statements keep busy. */
async function inTime<Result>({ connection }: PoolClient, sent: Promise<Result>): Promise<Result> {
  let cut: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // The response may have arrived while the process was stopped: then it is read before this runs.
    cut = setImmediate(() => connection.stream.destroy());
  }, queryTimeoutMs);
  try {
    return await sent;
  } finally {
    clearTimeout(timer);
    clearImmediate(cut);
  }
}
