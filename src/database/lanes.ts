import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { openPool, silenceMs, warm } from './pool.ts';

/** Connections on which quick statements follow each other closely, without waiting for each other's answers. */
export interface Lanes {
  query<Row extends object>(statement: QueryConfig): Promise<QueryResult<Row>>;
  /** Opens their connections, so that no request waits for that. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Two, so that a statement that is slow for once does not hold up all others. */
const laneCount = 2;

interface Lane {
  /** The statements that are under way, or about to be. */
  underWay: number;
  connection?: Promise<PoolClient> | undefined;
  client?: PoolClient | undefined;
}

/**
 * Opens lanes. A connection of a pool carries one statement at a time, and for each PostgreSQL's process goes to sleep and
 * is woken, which takes longer than a quick statement itself. On a lane the next one is there before it sleeps. When
 * nothing is under way, a lane has no connection of its own: it goes back to a pool.
 */
export function openLanes(url: string): Lanes {
  // The traffic of others on the same connection proves nothing: each statement has a time of its own.
  const pool = openPool(url, { max: laneCount, min: laneCount, query_timeout: silenceMs, pipeline: true });
  const lanes: readonly Lane[] = Array.from({ length: laneCount }, () => ({ underWay: 0 }));

  const leave = (lane: Lane, broken: boolean): void => {
    const { client } = lane;
    lane.connection = undefined;
    lane.client = undefined;
    client?.release(broken);
  };

  pool.on('connect', (client) =>
    client.once('end', () => {
      for (const lane of lanes) if (lane.client === client) leave(lane, true);
    }),
  );

  const connect = async (lane: Lane): Promise<PoolClient> => {
    try {
      const client = await pool.connect();
      lane.client = client;
      return client;
    } catch (problem) {
      lane.connection = undefined;
      throw problem;
    }
  };

  const ask = async <Row extends object>(lane: Lane, client: PoolClient, statement: QueryConfig) => {
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
      const lane = lanes.reduce((best, other) => (other.underWay < best.underWay ? other : best));
      lane.underWay += 1;
      try {
        lane.connection ??= connect(lane);
        return await ask(lane, await lane.connection, statement);
      } finally {
        lane.underWay -= 1;
        if (lane.underWay === 0) leave(lane, false);
      }
    },
    warm: () => warm(pool),
    close: () => pool.end(),
  };
}
