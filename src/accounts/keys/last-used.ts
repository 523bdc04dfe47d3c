import type { Database } from '../../database/types.ts';

/** Records when keys were last used, off the request path (`docs/contract.md` 3). */
export interface LastUsed {
  note(keyId: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 5_000;

/**
 * A session lives this long after its last use (`docs/contract.md` 3). Its expiry moves at most every half hour, as all
 * caches drop keys then.
 */
export const sessionIdleMs = 12 * 3_600_000;
const renewAfterMs = 1_800_000;

/**
 * Writes the last use of keys every few seconds, in one statement: whole minutes by the database's clock, only forward.
 * It skips locked keys.
 */
export function createLastUsed(db: Database): LastUsed {
  /** Last uses by key; all times are of `performance.now()`. */
  let noted = new Map<number, number>();
  /** The end of the minute last written, by key; more uses within it change nothing. */
  const writtenUntil = new Map<number, number>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    const now = performance.now();
    const ids = [...batch.keys()];
    const ages = [...batch.values()].map((usedAt) => now - usedAt);
    try {
      const minutes = await db.$queryRaw<{ id: number; leftMs: number; isDue: boolean }[]>`
        WITH used AS (
          SELECT id, date_trunc('minute', clock_timestamp() - age * interval '1 millisecond', 'UTC') AS at
          FROM unnest(${ids}::int[], ${ages}::float8[]) AS used (id, age)
        ),
        free AS (SELECT id FROM api_keys WHERE id = ANY (${ids}::int[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
        written AS (
          UPDATE api_keys SET last_used_at = used.at FROM used JOIN free USING (id)
          WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)
        )
        SELECT id, (extract(epoch FROM at + interval '1 minute' - clock_timestamp()) * 1000)::float8 AS "leftMs",
          coalesce(expires_at < least(ends_at, clock_timestamp() + ${sessionIdleMs - renewAfterMs} * interval '1 ms'), false)
            AND kind = 'session' AND revoked_at IS NULL AS "isDue"
        FROM used JOIN api_keys USING (id)`;
      for (const { id, leftMs } of minutes) writtenUntil.set(id, now + leftMs);
      const due = minutes.filter(({ isDue }) => isDue).map(({ id }) => id);
      if (due.length > 0) {
        await db.$executeRaw`
          UPDATE api_keys SET expires_at = least(ends_at, clock_timestamp() + ${sessionIdleMs} * interval '1 ms')
          WHERE id = ANY (${due}::int[]) AND expires_at > clock_timestamp()`;
      }
    } catch {
      // The database is unavailable; the next use of each key records it again.
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
