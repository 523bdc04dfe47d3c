import { setTimeout as delay } from 'node:timers/promises';
import { createSingleFlight } from '@service/single-flight';

const waitMs = 50;

/**
 * Makes the `collect` of a gauge from a slow function that sets it, such as a query: a scrape waits 50 ms at most, and
 * otherwise reports the last value. Scrapes share an unfinished call.
 */
export function withoutWaiting(set: () => Promise<void>): () => Promise<void> {
  const singleFlight = createSingleFlight<void>();
  return () => Promise.race([singleFlight('', set), delay(waitMs, undefined, { ref: false })]);
}
