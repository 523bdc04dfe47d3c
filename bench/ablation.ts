import { check, load, type Target, warm, warmUp } from './contests/load.ts';
import { create, readsOf, type Workload } from './contests/workloads.ts';
import type { BenchDatabase } from './database.ts';
import { startService } from './processes.ts';
import { type Accelerator, affectedBy, buildWithout, type Kind } from './without.ts';

const programs = 1_000;
const rounds = 5;
const seconds = 2;

/** What the service does without an accelerator. */
export interface Ablation {
  readonly accelerator: Accelerator;
  readonly kind: Kind;
  readonly workload: string;
  /** CPU time of service and PostgreSQL for each request without it, divided by that with it in the same round. */
  readonly ratios: readonly number[];
}

/** Measures the service with and without accelerators, in alternating rounds. */
export async function measureAblation(
  database: BenchDatabase,
  removed: readonly Accelerator[],
  say: (text: string) => void,
): Promise<Ablation[]> {
  const databaseUrl = await database.fill(programs);
  const postgresPid = await database.pid();
  const measured: Ablation[] = [];
  // Creates come last, since they change what the reads expect.
  const isOfReads = (accelerator: Accelerator): boolean => !affectedBy(accelerator).includes('creates');
  for (const accelerator of removed.toSorted((one, other) => Number(isOfReads(other)) - Number(isOfReads(one)))) {
    const script = await buildWithout(accelerator);
    for (const kind of affectedBy(accelerator)) {
      measured.push(...(await compare({ accelerator, script, kind, databaseUrl, postgresPid }, say)));
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
  readonly postgresPid: number;
}

async function compare(
  { accelerator, script, kind, databaseUrl, postgresPid }: Comparison,
  say: (text: string) => void,
): Promise<Ablation[]> {
  const env = kind === 'cached reads' ? {} : { RESPONSE_CACHE_MAX_BYTES: '0' };
  const usual = await startService(databaseUrl, env);
  const without = await startService(databaseUrl, env, script);
  const measured: Ablation[] = [];
  try {
    for (const workload of kind === 'creates' ? [create] : readsOf(programs)) {
      const ratios = await ratiosOf(workload, { ...usual, postgresPid }, { ...without, postgresPid });
      measured.push({ accelerator, kind, workload: workload.id, ratios });
      say(`without ${accelerator}: ${kind}, ${workload.id}: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
    }
  } finally {
    await usual.stop();
    await without.stop();
  }
  return measured;
}

async function ratiosOf(workload: Workload, usual: Target, without: Target): Promise<number[]> {
  for (const target of [usual, without]) {
    await check(target.url, workload);
    await warm(target, workload);
    await warmUp(target, workload);
  }
  const cpuUs = async (target: Target): Promise<number> => {
    const { serverUs, postgresUs } = await load(target, workload, seconds);
    return serverUs + postgresUs;
  };
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const base = await cpuUs(usual);
    ratios.push((await cpuUs(without)) / base);
  }
  return ratios;
}
