import { removeForeignEntries, removeOldEntries } from '@service/change-log/change-log';
import type { Logger } from 'pino';
import type { ChangeMonitor, Database } from './database/types.ts';
import { removeExpiredRecords } from './operations/idempotency.ts';

export interface Cleanup {
  close(): Promise<void>;
}

/** Soon, for records that expired while no instance ran, but after the first requests. */
const firstAfterMs = 2_000;
const everyMs = 600_000;
/** Rows per statement, so that none runs long or holds many locks. */
const batchSize = 1_000;

const changeLogTable = 'change_log';

/** Functions that remove up to `max` rows, oldest first, and return how many. */
const removals: readonly ((db: Database, max: number) => Promise<number>)[] = [
  (db, max) => removeForeignEntries(db, changeLogTable, max),
  removeExpiredRecords,
  (db, max) => removeOldEntries(db, changeLogTable, max),
];

/** Every instance removes expired idempotency records and change log entries, past rows that another one locks. */
export function startCleanup(db: Database, changes: Pick<ChangeMonitor, 'onPoll'>, log: Logger): Cleanup {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const run = async (): Promise<void> => {
    for (const remove of removals) {
      try {
        while (!closed && (await remove(db, batchSize)) === batchSize);
      } catch (err) {
        // The next run retries.
        log.warn({ err }, 'cleanup of expired idempotency records and change log entries failed');
      }
    }
    if (!closed) runIn(everyMs);
  };

  function runIn(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(run);
    }, afterMs);
    timer.unref();
  }

  // A restored dump.
  const unwatch = changes.onPoll(({ since }) => {
    if (since === undefined) runIn(0);
  });

  runIn(firstAfterMs);
  return {
    close: async () => {
      closed = true;
      unwatch();
      clearTimeout(timer);
      await running;
    },
  };
}
