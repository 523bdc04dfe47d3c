import type { BenchDatabase } from './database.ts';
import { check, load, warm, warmUntilSteady } from './load.ts';
import { type ServerProcess, startService } from './processes.ts';
import { type Accelerator, affectedBy, buildWithout, type Kind } from './without.ts';
import { create, readsOf, type Workload } from './workloads.ts';

const programs = 1_000;
const rounds = 3;
const seconds = 2;

/** What the service does without an accelerator. */
export interface Ablation {
  readonly accelerator: Accelerator;
  readonly kind: Kind;
  readonly workload: string;
  /** Requests per second without, divided by those with it in the same round. */
  readonly ratios: readonly number[];
}

/** Measures the service with and without accelerators, in alternating rounds. */
export async function measureAblation(
  database: BenchDatabase,
  removed: readonly Accelerator[],
  say: (text: string) => void,
): Promise<Ablation[]> {
  const databaseUrl = await database.fill(programs);
  const measured: Ablation[] = [];
  // Creates come last, since they change what the reads expect.
  const isOfReads = (accelerator: Accelerator): boolean => !affectedBy(accelerator).includes('creates');
  for (const accelerator of removed.toSorted((one, other) => Number(isOfReads(other)) - Number(isOfReads(one)))) {
    const script = await buildWithout(accelerator);
    for (const kind of affectedBy(accelerator)) {
      measured.push(...(await compare({ accelerator, script, kind, databaseUrl }, say)));
    }
  }
  return measured;
}

interface Comparison {
  readonly accelerator: Accelerator;
  /** Starts the service without it. */
  readonly script: string;
  readonly kind: Kind;
  readonly databaseUrl: string;
}

async function compare(
  { accelerator, script, kind, databaseUrl }: Comparison,
  say: (text: string) => void,
): Promise<Ablation[]> {
  const env = kind === 'cached reads' ? {} : { RESPONSE_CACHE_MAX_BYTES: '0' };
  const usual = await startService(databaseUrl, env);
  const without = await startService(databaseUrl, env, script);
  const measured: Ablation[] = [];
  try {
    for (const workload of kind === 'creates' ? [create] : readsOf(programs)) {
      const ratios = await ratiosOf(workload, usual, without);
      measured.push({ accelerator, kind, workload: workload.id, ratios });
      say(`without ${accelerator}: ${kind}, ${workload.id}: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
    }
  } finally {
    await usual.stop();
    await without.stop();
  }
  return measured;
}

async function ratiosOf(workload: Workload, usual: ServerProcess, without: ServerProcess): Promise<number[]> {
  for (const { url } of [usual, without]) {
    await check(url, workload);
    await warm(url, workload);
    await warmUntilSteady(url, workload);
  }
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const base = await load(usual.url, workload, seconds);
    ratios.push((await load(without.url, workload, seconds)).perSecond / base.perSecond);
  }
  return ratios;
}
