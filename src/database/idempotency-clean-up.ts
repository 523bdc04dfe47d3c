import type { Logger } from 'pino';
import type { Database } from './client.ts';

/** The removal of expired records, off the request path. */
export interface CleanUp {
  /** Stops it; what is under way is finished. */
  close(): Promise<void>;
}

/** The first run comes soon, for what expired while nobody ran, but after the first requests. */
const firstAfterMs = 2_000;
const everyMs = 600_000;
/** One statement removes this many, so that none runs long or holds many locks. */
const batchSize = 1_000;

/**
 * Starts removing the records of requests that are no longer replayed. Every instance does so, and passes over what
 * another is removing.
 */
export function startCleanUp(db: Database, log: Logger): CleanUp {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const run = async (): Promise<void> => {
    try {
      while (!closed && (await removeExpired(db)) === batchSize);
    } catch (err) {
      // The next run will find them still there.
      log.warn({ err }, 'expired idempotency records could not be removed');
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

/**
 * Removes the oldest of the expired records, one batch.
 *
 * @returns how many were removed.
 */
function removeExpired(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
    )`;
}
