import type { Database } from '../database/connection/types.ts';

/** Notes which keys were used, off the request path (`docs/contract.md` 3). */
export interface LastUsed {
  note(keyId: number): void;
  /** Writes what has been noted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 5_000;

/**
 * Makes the notebook: one statement every few seconds writes the minutes in which keys were used, by the clock of the
 * database. It only moves them forward, and passes over keys that someone else is changing rather than wait for them.
 * All instants here are of `performance.now()`.
 */
export function createLastUsed(db: Database): LastUsed {
  /** When each key was last used. */
  let noted = new Map<number, number>();
  /** When the minute ends that was last written of each key: one more use in it is nothing new. */
  const writtenUntil = new Map<number, number>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    const now = performance.now();
    const ids = [...batch.keys()];
    const ages = [...batch.values()].map((usedAt) => now - usedAt);
    try {
      const minutes = await db.$queryRaw<{ id: number; leftMs: number }[]>`
        WITH used AS (
          SELECT id, date_trunc('minute', clock_timestamp() - age * interval '1 millisecond', 'UTC') AS at
          FROM unnest(${ids}::int[], ${ages}::float8[]) AS used (id, age)
        ),
        free AS (SELECT id FROM api_keys WHERE id = ANY (${ids}::int[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
        written AS (
          UPDATE api_keys SET last_used_at = used.at FROM used JOIN free USING (id)
          WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)
        )
        SELECT id, (extract(epoch FROM at + interval '1 minute' - clock_timestamp()) * 1000)::float8 AS "leftMs" FROM used`;
      for (const { id, leftMs } of minutes) writtenUntil.set(id, now + leftMs);
    } catch {
      // The database is away: the next use of each key notes it again.
    }
  };

  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  return {
    note: (keyId) => {
      const now = performance.now();
      if (now >= (writtenUntil.get(keyId) ?? 0)) noted.set(keyId, now);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
