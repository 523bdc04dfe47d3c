import { withoutWaiting } from '@service/telemetry/scrape';
import { Gauge, type Registry } from 'prom-client';

export interface CatalogSource {
  /** The numbers of records; a failure leaves the gauge out of the scrape. */
  count(): Promise<{ readonly programs: number; readonly branches: number }>;
  /** Whether all changes are known, so that cached values are trusted. */
  isLive(): boolean;
}

/** Adds the numbers of programs and branches to the metrics, read when these are scraped. */
export function observeCatalog(source: CatalogSource, registers: Registry[]): void {
  const records: Gauge<'kind'> = new Gauge({
    name: 'catalog_records',
    help: 'Programs and branches that are not deleted.',
    labelNames: ['kind'],
    registers,
    collect: withoutWaiting(async () => {
      const counts = await source.count().catch(() => undefined);
      records.reset();
      for (const [kind, count] of Object.entries(counts ?? {})) records.set({ kind }, count);
    }),
  });
  const live: Gauge = new Gauge({
    name: 'change_log_live',
    help: '1 while all changes are known and cached values are trusted, 0 while the change log cannot be read.',
    registers,
    collect: () => live.set(source.isLive() ? 1 : 0),
  });
}
