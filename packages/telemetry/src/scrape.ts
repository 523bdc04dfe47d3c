import { setTimeout as delay } from 'node:timers/promises';
import { createSingleFlight } from '@service/single-flight';

const waitMs = 50;

/**
 * Makes the `collect` of a gauge from a function that sets it, which may be slow, as a query is: a scrape waits for it for 50 ms
 * at most, and otherwise reports what was known before. Scrapes share an unfinished call.
 */
export function withoutWaiting(set: () => Promise<void>): () => Promise<void> {
  const singleFlight = createSingleFlight<void>();
  return () => Promise.race([singleFlight('', set), delay(waitMs, undefined, { ref: false })]);
}
