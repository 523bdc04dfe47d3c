import type { Database } from '../database/client.ts';

/** Notes which keys were used, off the request path (`contract.md` 3). */
export interface LastUsed {
  note(keyId: number): void;
  /** Writes what has been noted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 5_000;
const minuteMs = 60_000;

/**
 * Makes the notebook: one statement every few seconds writes the minutes in which keys were used. It only moves
 * them forward, and passes over keys that someone else is changing rather than wait for them.
 */
export function createLastUsed(db: Database): LastUsed {
  let noted = new Map<number, number>();
  /** The minute that was last written of each key: one more use in it is nothing new. */
  const written = new Map<number, number>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    const ids = [...batch.keys()];
    const minutes = [...batch.values()].map((minute) => new Date(minute * minuteMs));
    try {
      await db.$executeRaw`
        WITH used AS (SELECT * FROM unnest(${ids}::int[], ${minutes}::timestamptz[]) AS used (id, at)),
        free AS (SELECT id FROM api_keys WHERE id = ANY (${ids}::int[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE api_keys SET last_used_at = used.at FROM used JOIN free USING (id)
        WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`;
      for (const [id, minute] of batch) written.set(id, minute);
    } catch {
      // The database is away: the next use of each key notes it again.
    }
  };

  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  return {
    note: (keyId) => {
      const minute = Math.floor(Date.now() / minuteMs);
      if (written.get(keyId) !== minute) noted.set(keyId, minute);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
