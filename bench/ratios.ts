import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Contest, contestsOf, type ServerName, type Servers } from './contests/contests.ts';
import { check, type Load, load, type Target, warm, warmUp } from './contests/load.ts';
import { prefilled } from './contests/workloads.ts';
import type { BenchDatabase } from './database.ts';
import { type ServerProcess, startCompetitor, startOther, startService } from './processes.ts';

/** After its start a process releases memory that only the start needed. */
const settledMs = 20_000;

/** What one server did with one workload: one load for each round. */
export interface Result {
  readonly workload: string;
  readonly title: string;
  readonly server: string;
  readonly rounds: readonly Load[];
}

/** All measurements. */
export interface Results {
  readonly results: readonly Result[];
  readonly at: string;
  readonly machine: string;
  readonly programs: number;
  readonly startMs: number;
  readonly memoryMb: { readonly idle: number; readonly underLoad: number };
}

interface Pace {
  readonly rounds: number;
  readonly seconds: number;
}

interface Options {
  readonly quick: boolean;
  readonly only?: readonly string[] | undefined;
  readonly programs: number;
}

/**
 * Measures each workload on each of its servers, in alternating rounds; `only` some, by id. `onMeasured` gets the
 * results of each workload at once: a later one may fail.
 */
export async function measureRatios(
  database: BenchDatabase,
  { quick, only, programs }: Options,
  onMeasured: (results: readonly Result[]) => void,
): Promise<Results> {
  const pace = quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 };
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
      'Fastify + pg': await started(startCompetitor('fastify-pg', databaseUrl)),
      'mercurius with JIT and loaders': await started(startCompetitor('mercurius', databaseUrl)),
      'Yoga + Pothos + Prisma': await started(startOther('yoga-prisma', databaseUrl)),
    };
    const { service } = servers;
    const postgresPid = await database.pid();
    const targets = (name: ServerName): Target => ({ ...servers[name], postgresPid });
    await delay(quick ? 0 : settledMs);
    const idle = await service.memory();
    const results: Result[] = [];
    let underLoad = 0;
    for (const contest of await contestsOf(servers, programs)) {
      if (only?.includes(contest.workload.id) === false) continue;
      const measured = await measure(contest, targets, pace);
      results.push(...measured);
      onMeasured(measured);
      if (contest.fillsCache !== true) continue;
      const different = prefilled(contest.workload);
      await warm(targets('service'), different);
      await load(targets('service'), contest.workload, pace.seconds);
      underLoad = await service.memory();
    }
    return {
      at: new Date().toISOString(),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      programs,
      results,
      startMs: Math.round(service.startedMs),
      memoryMb: { idle: Math.round(idle / 1e6), underLoad: Math.round(underLoad / 1e6) },
    };
  } finally {
    for (const server of running) await server.stop();
  }
}

/** Alternates rounds of all servers, after the responses have been checked and each is warm. */
async function measure(
  { workload, contestants }: Contest,
  targets: (name: ServerName) => Target,
  { rounds, seconds }: Pace,
): Promise<Result[]> {
  const measured = contestants.map((contestant) => ({ contestant, loads: [] as Load[] }));
  for (const { server, workload: own = workload, prepare } of contestants) {
    await prepare?.();
    await check(targets(server).url, own);
    await warm(targets(server), own);
    await warmUp(targets(server), own);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, loads } of measured) {
      const end = contestant.meanwhile?.();
      loads.push(await load(targets(contestant.server), contestant.workload ?? workload, seconds));
      end?.();
    }
  }
  return measured.map(({ contestant: { name, server }, loads }) => ({
    workload: workload.id,
    title: workload.title,
    server: name ?? server,
    rounds: loads,
  }));
}
