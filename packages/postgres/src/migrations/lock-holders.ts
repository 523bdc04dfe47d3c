import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const watchEveryMs = 100;

/** An ordinary role sees only `application_name` and the user of others' sessions. Its own name is in the address. */
const describeSessions = `SELECT format('process %s (%s)', pid, concat_ws(', ',
    coalesce(nullif(application_name, ''), 'unnamed'),
    'user ' || nullif(coalesce(usename, backend_type), session_user),
    state || ' since ' || date_trunc('second', state_change))) AS session
  FROM pg_stat_activity WHERE pid = ANY`;

const blocking = `${describeSessions} (pg_blocking_pids($1)) ORDER BY pid`;

const holding = `${describeSessions} (ARRAY(
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND granted
      AND classid = 0 AND objid = $1 AND objsubid = 1)) ORDER BY pid`;

async function sessions(observer: Client, sql: string, value: number): Promise<string[]> {
  const { rows } = await observer.query<{ session: string }>(sql, [value]);
  return rows.map(({ session }) => session);
}

/** The sessions that hold an advisory lock, in words for an operator. */
export function holdersOf(observer: Client, lockKey: number): Promise<string[]> {
  return sessions(observer, holding, lockKey);
}

/** Queries are not read, as they may contain data. Returns a function that stops, and returns the last blockers. */
export function watchBlockers(observer: Client, pid: number): () => Promise<readonly string[]> {
  const stopping = new AbortController();
  let seen: readonly string[] = [];
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const now = await sessions(observer, blocking, pid);
      if (now.length > 0) seen = now;
      await delay(watchEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  // Failing to name the blockers must not fail the migration.
  const watching = watch().catch(() => undefined);
  return async () => {
    stopping.abort();
    await watching;
    return seen;
  };
}
