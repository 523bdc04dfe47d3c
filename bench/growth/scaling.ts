import { check, latency } from '../contests/load.ts';
import { create, listsOf, readsOf, type Workload } from '../contests/workloads.ts';
import type { BenchDatabase } from '../database.ts';
import { startService } from '../processes.ts';

const sizes = [10, 1_000, 100_000, 1_000_000] as const;

/** Median times of single requests with a catalog of one size, without the response cache. */
export interface Size {
  readonly programs: number;
  readonly milliseconds: Readonly<Record<string, number>>;
}

/** Measures sequential requests with catalogs of growing size. */
export async function measureScaling(database: BenchDatabase, say: (text: string) => void): Promise<Size[]> {
  const measured: Size[] = [];
  for (const programs of sizes) {
    say(`Filling in ${programs.toLocaleString('en')} programs`);
    const databaseUrl = await database.fill(programs);
    const service = await startService(databaseUrl, { RESPONSE_CACHE_MAX_BYTES: '0' });
    try {
      const milliseconds: Record<string, number> = {};
      for (const [name, workload] of await workloadsOf(service.url, programs)) {
        await check(service.url, workload);
        milliseconds[name] = await latency(service.url, workload);
      }
      measured.push({ programs, milliseconds });
    } finally {
      await service.stop();
    }
  }
  return measured;
}

async function workloadsOf(url: string, programs: number): Promise<[string, Workload][]> {
  const [one, page] = readsOf(programs);
  if (one === undefined || page === undefined) throw new Error('There are no reads.');
  return [
    ['a program', one],
    ['the first page by number', { ...page, count: 1 }],
    ['the last page by number', { ...page, count: 1, sample: () => page.sample(page.count) }],
    ...(await listsOf(url, programs)).map((workload): [string, Workload] => [workload.title, workload]),
    ['create', create],
  ];
}
