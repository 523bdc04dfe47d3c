import { Client } from '@service/postgres/client';
import { isOutage } from '@service/postgres/errors';
import { connectionOptions } from '@service/postgres/options';
import type { Logger } from 'pino';
import { foldCounts, recountStatement } from './catalog/counts.ts';
import type { ChangeMonitor } from './change-log/change-monitor.ts';
import type { Database } from './connection/types.ts';

export interface CountMaintenance {
  close(): Promise<void>;
}

interface CountMaintenanceOptions {
  readonly db: Database;
  /** For counting, which may take longer than statements of the pool are allowed to. */
  readonly directUrl: string;
  readonly changes: Pick<ChangeMonitor, 'onPoll'>;
  readonly log: Logger;
}

/** A sum of so many entries takes a fraction of a millisecond. */
const foldAfterEntries = 500;

/** Counts at the start and in another history, and folds what is logged; a failure is retried after the next change. */
export function startCountMaintenance({ db, directUrl, changes, log }: CountMaintenanceOptions): CountMaintenance {
  let isCounted = false;
  let unfolded = 0;
  let running: Promise<void> | undefined;
  let counting: Client | undefined;

  const recount = async (): Promise<void> => {
    counting = new Client(connectionOptions(directUrl, { purpose: 'counts' }));
    counting.on('error', () => undefined);
    try {
      await counting.connect();
      await counting.query(recountStatement);
    } finally {
      counting.end().catch(() => undefined);
    }
  };

  const maintain = async (): Promise<void> => {
    try {
      if (!isCounted) {
        isCounted = true;
        await recount().catch((problem: unknown) => {
          isCounted = false;
          throw problem;
        });
      } else if (unfolded >= foldAfterEntries) {
        await foldCounts(db);
      } else return;
      unfolded = 0;
    } catch (err) {
      // An outage is reported elsewhere.
      if (!isOutage(err)) log.warn({ err }, 'programs and branches could not be counted');
    }
  };

  const start = (): void => {
    running ??= maintain().finally(() => {
      running = undefined;
    });
  };

  const unwatch = changes.onPoll(({ since, entries }) => {
    if (since === undefined) isCounted = false;
    unfolded += entries?.length ?? foldAfterEntries;
    start();
  });
  start();
  return {
    close: async () => {
      unwatch();
      counting?.connection.stream.destroy();
      await running;
    },
  };
}
