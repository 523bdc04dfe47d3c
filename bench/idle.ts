import { setTimeout as delay } from 'node:timers/promises';
import { cpuSecondsOf, cpuSecondsOfFamily } from './cpu.ts';
import type { BenchDatabase } from './database.ts';
import { type ServerProcess, startService } from './processes.ts';

const instances = 8;
/** Until they have done what follows a start. */
const settledMs = 15_000;
const measuredMs = 20_000;

/** What instances cost while nobody uses them: each, and their PostgreSQL, in percent of a core. */
export interface IdleCost {
  readonly instances: number;
  readonly instancePercent: number;
  readonly postgresPercent: number;
}

export async function measureIdle(database: BenchDatabase): Promise<IdleCost> {
  const databaseUrl = await database.fill(1_000);
  const running: ServerProcess[] = [];
  try {
    for (let count = 0; count < instances; count += 1) running.push(await startService(databaseUrl));
    await delay(settledMs);
    const cpuSeconds = async () => ({
      services: (await Promise.all(running.map(({ pid }) => cpuSecondsOf(pid)))).reduce((sum, one) => sum + one, 0),
      postgres: await cpuSecondsOfFamily(await database.pid()),
    });
    const began = performance.now();
    const before = await cpuSeconds();
    await delay(measuredMs);
    const after = await cpuSeconds();
    const seconds = (performance.now() - began) / 1_000;
    const percent = (used: number): number => Math.round((10_000 * used) / seconds) / 100;
    return {
      instances,
      instancePercent: percent((after.services - before.services) / instances),
      postgresPercent: percent(after.postgres - before.postgres),
    };
  } finally {
    for (const service of running) await service.stop();
  }
}
