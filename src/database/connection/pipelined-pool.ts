import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { openPool, prewarm, queryTimeoutMs } from './pool.ts';

/** Connections on which quick statements follow each other closely, without waiting for each other's answers. */
export interface PipelinedPool {
  query<Row extends object>(statement: QueryConfig): Promise<QueryResult<Row>>;
  /** Opens their connections, so that no request waits for that. */
  prewarm(): Promise<void>;
  close(): Promise<void>;
}

/** Two, so that a statement that is slow for once does not hold up all others. */
const connectionCount = 2;

interface PipelinedConnection {
  /** The statements that are under way, or about to be. */
  inFlight: number;
  connection?: Promise<PoolClient> | undefined;
  client?: PoolClient | undefined;
}

/**
 * Opens lanes. A connection of a pool carries one statement at a time, and for each PostgreSQL's process goes to sleep and
 * is woken, which takes longer than a quick statement itself. On a lane the next one is there before it sleeps. When
 * nothing is under way, a lane has no connection of its own: it goes back to a pool.
 */
export function openPipelinedPool(url: string): PipelinedPool {
  // The traffic of others on the same connection proves nothing: each statement has a time of its own.
  const pool = openPool(url, {
    max: connectionCount,
    min: connectionCount,
    query_timeout: queryTimeoutMs,
    pipeline: true,
  });
  const pipelinedPool: readonly PipelinedConnection[] = Array.from({ length: connectionCount }, () => ({
    inFlight: 0,
  }));

  const leave = (lane: PipelinedConnection, broken: boolean): void => {
    const { client } = lane;
    lane.connection = undefined;
    lane.client = undefined;
    client?.release(broken);
  };

  pool.on('connect', (client) =>
    client.once('end', () => {
      for (const lane of pipelinedPool) if (lane.client === client) leave(lane, true);
    }),
  );

  const connect = async (lane: PipelinedConnection): Promise<PoolClient> => {
    try {
      const client = await pool.connect();
      lane.client = client;
      return client;
    } catch (problem) {
      lane.connection = undefined;
      throw problem;
    }
  };

  const ask = async <Row extends object>(lane: PipelinedConnection, client: PoolClient, statement: QueryConfig) => {
    try {
      return await client.query<Row>(statement);
    } catch (problem) {
      // What PostgreSQL says itself came over a connection that works.
      if (!(problem instanceof DatabaseError) && lane.client === client) leave(lane, true);
      throw problem;
    }
  };

  return {
    query: async (statement) => {
      const lane = pipelinedPool.reduce((best, other) => (other.inFlight < best.inFlight ? other : best));
      lane.inFlight += 1;
      try {
        lane.connection ??= connect(lane);
        return await ask(lane, await lane.connection, statement);
      } finally {
        lane.inFlight -= 1;
        if (lane.inFlight === 0) leave(lane, false);
      }
    },
    prewarm: () => prewarm(pool),
    close: () => pool.end(),
  };
}
