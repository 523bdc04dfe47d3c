import type { Logger } from 'pino';
import { removeOldEntries } from './change-log/change-log.ts';
import type { Database } from './connection/types.ts';
import { removeExpiredRecords } from './idempotency/idempotency.ts';

/** The removal of what is kept for a day, off the request path. */
export interface Cleanup {
  /** Stops it; what is under way is finished. */
  close(): Promise<void>;
}

/** The first run comes soon, for what expired while nobody ran, but after the first requests. */
const firstAfterMs = 2_000;
const everyMs = 600_000;
/** One statement removes this many, so that none runs long or holds many locks. */
const batchSize = 1_000;

/** Each removes so many at most, the oldest first, and says how many they were. */
const removals: readonly ((db: Database, most: number) => Promise<number>)[] = [removeExpiredRecords, removeOldEntries];

/**
 * Starts removing requests that are no longer replayed, and changes that are no longer told. Every instance does so,
 * and passes over what another is removing.
 */
export function startCleanup(db: Database, log: Logger): Cleanup {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const run = async (): Promise<void> => {
    for (const remove of removals) {
      try {
        while (!closed && (await remove(db, batchSize)) === batchSize);
      } catch (err) {
        // The next run will find them still there.
        log.warn({ err }, 'what has expired could not be removed');
      }
    }
    if (!closed) runIn(everyMs);
  };

  function runIn(afterMs: number): void {
    timer = setTimeout(() => {
      running = run();
    }, afterMs);
    timer.unref();
  }

  runIn(firstAfterMs);
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
