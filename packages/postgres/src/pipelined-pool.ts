import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { openPool, prewarm, queryTimeoutMs } from './pool.ts';

export interface PipelinedPool {
  query<Row extends object>(statement: QueryConfig): Promise<QueryResult<Row>>;
  prewarm(): Promise<void>;
  close(): Promise<void>;
}

/** Two, so that one slow statement does not block all others. */
const connectionCount = 2;

interface PipelinedConnection {
  inFlight: number;
  connection?: Promise<PoolClient> | undefined;
  client?: PoolClient | undefined;
}

/** Sends statements without waiting for earlier results: a backend's sleep and wake-up outlast a quick statement. */
export function openPipelinedPool(url: string): PipelinedPool {
  const pool = openPool(url, {
    max: connectionCount,
    min: connectionCount,
    pipeline: true,
    // These statements search by identifiers alone.
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
