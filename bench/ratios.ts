import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Contest, contestsOf, type Servers } from './contests.ts';
import type { BenchDatabase } from './database.ts';
import { check, load, warm, warmUntilSteady } from './load.ts';
import { type ServerProcess, startOther, startService } from './processes.ts';
import { prefilled } from './workloads.ts';

const programs = 1_000;
/** After its start a process releases memory that only the start needed. */
const settledMs = 20_000;

/** What one server did with one workload. */
interface Result {
  readonly workload: string;
  readonly title: string;
  readonly server: string;
  /** One number for each round. */
  readonly perSecond: readonly number[];
  readonly p99Ms: readonly number[];
}

/** The least ratio between two servers of a workload. */
interface Comparison {
  readonly workload: string;
  readonly server: string;
  readonly to: string;
  /** Requests per second of each round, divided by those of the other server in the same round. */
  readonly ratios: readonly number[];
  /** The ratio to reach, if there is one. */
  readonly target?: number | undefined;
}

export interface Measured {
  readonly results: readonly Result[];
  readonly comparisons: readonly Comparison[];
}

/** All measurements; the format of results.json. */
export interface Results extends Measured {
  readonly at: string;
  readonly machine: string;
  readonly startMs: number;
  readonly memoryMb: { readonly idle: number; readonly underLoad: number };
}

interface Pace {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures each workload on each of its servers, in alternating rounds; `only` some, by id. `onMeasured` gets the
 * results of each workload at once: a later one may fail.
 */
export async function measureRatios(
  database: BenchDatabase,
  { quick, only }: { readonly quick: boolean; readonly only?: readonly string[] | undefined },
  onMeasured: (measured: Measured) => void,
): Promise<Results> {
  const pace = quick ? { rounds: 1, seconds: 1.5 } : { rounds: 5, seconds: 3 };
  const databaseUrl = await database.fill(programs);
  const running: ServerProcess[] = [];
  const started = async (starting: Promise<ServerProcess>): Promise<ServerProcess> => {
    const server = await starting;
    running.push(server);
    return server;
  };
  try {
    const servers: Servers = {
      'node:http': await started(startOther('fixed-node')),
      service: await started(startService(databaseUrl)),
      'another instance': await started(startService(databaseUrl)),
      'service, cache disabled': await started(startService(databaseUrl, { RESPONSE_CACHE_MAX_BYTES: '0' })),
      'Express + Prisma': await started(startOther('express-prisma', databaseUrl)),
      'Fastify + pg': await started(startOther('fastify-pg', databaseUrl)),
    };
    const { service } = servers;
    await delay(quick ? 0 : settledMs);
    const idle = await service.memory();
    const results: Result[] = [];
    const comparisons: Comparison[] = [];
    let underLoad = 0;
    for (const contest of await contestsOf(servers, programs)) {
      if (only?.includes(contest.workload.id) === false) continue;
      const measured = await measure(contest, servers, pace);
      const compared = comparisonsOf(contest, measured);
      results.push(...measured);
      comparisons.push(...compared);
      onMeasured({ results: measured, comparisons: compared });
      if (contest.fillsCache !== true) continue;
      const different = prefilled(contest.workload);
      await warm(service.url, different);
      await load(service.url, contest.workload, pace.seconds);
      underLoad = await service.memory();
    }
    return {
      at: new Date().toISOString(),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      results,
      comparisons,
      startMs: Math.round(service.startedMs),
      memoryMb: { idle: Math.round(idle / 1e6), underLoad: Math.round(underLoad / 1e6) },
    };
  } finally {
    for (const server of running) await server.stop();
  }
}

/** Alternates rounds of all servers, after the responses have been checked and each is warm. */
async function measure({ workload, contestants }: Contest, servers: Servers, pace: Pace): Promise<Result[]> {
  const measured = contestants.map((contestant) => ({ contestant, perSecond: [] as number[], p99Ms: [] as number[] }));
  for (const { server, workload: own = workload, prepare } of contestants) {
    const { url } = servers[server];
    await prepare?.();
    await check(url, own);
    await warm(url, own);
    await warmUntilSteady(url, own);
  }
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const { contestant, perSecond, p99Ms } of measured) {
      const end = contestant.meanwhile?.();
      const result = await load(servers[contestant.server].url, contestant.workload ?? workload, pace.seconds);
      end?.();
      perSecond.push(result.perSecond);
      p99Ms.push(result.p99Ms);
    }
  }
  return measured.map(({ contestant, perSecond, p99Ms }) => ({
    workload: workload.id,
    title: workload.title,
    server: contestant.name ?? contestant.server,
    perSecond,
    p99Ms,
  }));
}

function comparisonsOf({ workload, compare }: Contest, results: readonly Result[]): Comparison[] {
  const rateOf = (server: string): readonly number[] =>
    results.find((result) => result.server === server)?.perSecond ?? [];
  return compare.map(({ server, to, target }) => {
    const base = rateOf(to);
    return {
      workload: workload.id,
      server,
      to,
      ratios: rateOf(server).map((perSecond, round) => perSecond / (base[round] ?? Number.NaN)),
      target,
    };
  });
}
