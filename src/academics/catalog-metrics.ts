import { setTimeout as delay } from 'node:timers/promises';
import { createSingleFlight } from '@service/single-flight';
import { Gauge, type Registry } from 'prom-client';

export interface CatalogSource {
  /** The numbers of records; a failure leaves the gauge out of the scrape. */
  count(): Promise<{ readonly programs: number; readonly branches: number }>;
  /** Whether all changes are known, so that cached values are trusted. */
  isLive(): boolean;
}

/** While the database is busy or unavailable, a scrape reports the last known counts instead of waiting for it. */
const countTimeoutMs = 50;

/** Adds the numbers of programs and branches to the metrics, read when these are scraped. */
export function observeCatalog(source: CatalogSource, registers: Registry[]): void {
  const records: Gauge<'kind'> = new Gauge({
    name: 'catalog_records',
    help: 'Programs and branches that are not deleted.',
    labelNames: ['kind'],
    registers,
    collect: async () => {
      await Promise.race([refresh(), delay(countTimeoutMs, undefined, { ref: false })]);
    },
  });
  const singleFlight = createSingleFlight<void>();
  const read = async (): Promise<void> => {
    const counts = await source.count().catch(() => undefined);
    records.reset();
    for (const [kind, count] of Object.entries(counts ?? {})) records.set({ kind }, count);
  };
  const refresh = (): Promise<void> => singleFlight('counts', read);
  const live: Gauge = new Gauge({
    name: 'change_log_live',
    help: '1 while all changes are known and cached values are trusted, 0 while the change log cannot be read.',
    registers,
    collect: () => live.set(source.isLive() ? 1 : 0),
  });
}
