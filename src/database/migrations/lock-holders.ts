import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const watchEveryMs = 100;

/** Of other users' sessions PostgreSQL shows an ordinary role only the program's name and the user. */
const describeSessions = `SELECT format('process %s (%s, user %s%s)', pid,
    coalesce(nullif(application_name, ''), 'an unnamed program'), coalesce(usename, backend_type),
    ', ' || state || ' since ' || date_trunc('second', state_change)) AS session
  FROM pg_stat_activity WHERE pid = ANY`;

const waitedFor = `${describeSessions} (pg_blocking_pids($1)) ORDER BY pid`;

const holding = `${describeSessions} (ARRAY(
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND granted
      AND classid = 0 AND objid = $1 AND objsubid = 1)) ORDER BY pid`;

async function sessions(observer: Client, sql: string, value: number): Promise<string[]> {
  const { rows } = await observer.query<{ session: string }>(sql, [value]);
  return rows.map(({ session }) => session);
}

/** Names the sessions that hold an advisory lock of this database. */
export function holdersOf(observer: Client, lockKey: number): Promise<string[]> {
  return sessions(observer, holding, lockKey);
}

/**
 * Watches what a session waits for, from another session. What the obstacles do is not read: it may hold data.
 *
 * @param pid PostgreSQL's process of the session that is watched.
 * @returns how to stop; that gives the sessions that were last seen in its way.
 */
export function watchObstacles(observer: Client, pid: number): () => Promise<readonly string[]> {
  const stopping = new AbortController();
  let seen: readonly string[] = [];
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const now = await sessions(observer, waitedFor, pid);
      if (now.length > 0) seen = now;
      await delay(watchEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  // Not knowing what is in the way is no reason to fail.
  const watching = watch().catch(() => undefined);
  return async () => {
    stopping.abort();
    await watching;
    return seen;
  };
}
