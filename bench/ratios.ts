import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDatabase } from './database.ts';
import { check, load, warm } from './load.ts';
import { adminKey, type ServerProcess, startOther, startService } from './processes.ts';
import { conditional, create, fixed, prefilled, readsOf, type Workload } from './workloads.ts';

const programs = 1_000;
/** A freshly started server is several times slower until its code has been optimized. */
const warmSeconds = 2;
/** After its start a process releases memory that only the start needed. */
const settledMs = 20_000;

/** One row of the table. */
interface Ratio {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  /** Requests per second of each round, divided by those of the floor in the same round. */
  readonly ratios: readonly number[];
  readonly perSecond: readonly number[];
  readonly floorPerSecond: readonly number[];
  readonly p99Ms: readonly number[];
  /** The ratio to reach. */
  readonly target?: number;
}

/** All measurements; the format of results.json. */
export interface Results {
  readonly at: string;
  readonly machine: string;
  readonly lines: readonly Ratio[];
  readonly startMs: number;
  readonly memoryMb: { readonly idle: number; readonly underLoad: number };
}

interface Line {
  readonly workload: Workload;
  readonly server: string;
  readonly url: string;
  readonly target?: number;
  /** The baseline, if it is not the floor. */
  readonly base?: { readonly workload: Workload; readonly url: string };
  /** Starts a background activity; returns a function that stops it. */
  readonly meanwhile?: () => () => void;
}

interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures each workload, cached and uncached, and the servers for comparison, each against the floor. */
export async function measureRatios(
  database: BenchDatabase,
  quick: boolean,
  say: (text: string) => void,
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
    const floor = await started(startOther('fixed-express'));
    const node = await started(startOther('fixed-node'));
    const service = await started(startService(databaseUrl));
    const other = await started(startService(databaseUrl));
    const uncached = await started(startService(databaseUrl, { RESPONSE_CACHE_MAX_BYTES: '0' }));
    const prisma = await started(startOther('express-prisma', databaseUrl));
    const fastify = await started(startOther('fastify-pg', databaseUrl));

    await delay(quick ? 0 : settledMs);
    const idle = await service.memory();
    await load(floor.url, fixed, warmSeconds);
    const reads = readsOf(programs);
    const [one, page, , tree] = reads;
    if (one === undefined || page === undefined || tree === undefined) throw new Error('There are no reads.');
    const cachedTargets = [4, 4, 3, 2];
    const uncachedTargets = [0.24, 0.22, 0.19, 0.05];
    const lines: Line[] = [
      { workload: fixed, server: 'node:http', url: node.url },
      ...reads.map((workload, index) => ({
        workload,
        server: 'service',
        url: service.url,
        ...withTarget(cachedTargets[index]),
      })),
      ...reads.map((workload, index) => ({
        workload,
        server: 'service, cache disabled',
        url: uncached.url,
        ...withTarget(uncachedTargets[index]),
      })),
      {
        workload: {
          ...one,
          id: 'program, with writes',
          title: 'REST: a program while another instance writes every second',
        },
        server: 'service',
        url: service.url,
        target: 0.9,
        base: { workload: one, url: service.url },
        meanwhile: () => changeEverySecond(other.url),
      },
      { workload: await conditional(service.url, one), server: 'service', url: service.url, target: 4 },
      ...[one, page].map((workload) => ({ workload, server: 'Express + Prisma', url: prisma.url })),
      ...[one, page].map((workload) => ({ workload, server: 'Fastify + pg', url: fastify.url })),
    ];
    const creates: Line[] = [
      { workload: create, server: 'service', url: service.url, target: 0.33 },
      { workload: create, server: 'Express + Prisma', url: prisma.url },
      { workload: create, server: 'Fastify + pg', url: fastify.url },
    ];
    const results: Ratio[] = [];
    let underLoad = 0;
    for (const line of lines) {
      results.push(await measure(line, floor.url, pace));
      say(`${line.workload.id} ${line.server}`);
      if (line.workload === tree && line.url === service.url) {
        await warm(service.url, prefilled(tree));
        await load(service.url, tree, pace.seconds);
        underLoad = await service.memory();
      }
    }
    for (const line of creates) results.push(await measure(line, floor.url, pace));
    return {
      at: new Date().toISOString(),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      lines: results,
      startMs: Math.round(service.startedMs),
      memoryMb: { idle: Math.round(idle / 1e6), underLoad: Math.round(underLoad / 1e6) },
    };
  } finally {
    for (const server of running) await server.stop();
  }
}

const withTarget = (target: number | undefined) => (target === undefined ? {} : { target });

/** Alternates rounds of floor and workload, after the responses have been checked and both are warm. */
async function measure(line: Line, floorUrl: string, { rounds, seconds }: Rounds): Promise<Ratio> {
  const { workload, server, url, target } = line;
  const base = line.base ?? { workload: fixed, url: floorUrl };
  await check(url, workload);
  await warm(url, workload);
  await load(url, workload, warmSeconds);
  const measured = {
    ratios: [] as number[],
    perSecond: [] as number[],
    floorPerSecond: [] as number[],
    p99Ms: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const baseline = await load(base.url, base.workload, seconds);
    const end = line.meanwhile?.();
    const measuredLoad = await load(url, workload, seconds);
    end?.();
    measured.ratios.push(measuredLoad.perSecond / baseline.perSecond);
    measured.perSecond.push(measuredLoad.perSecond);
    measured.floorPerSecond.push(baseline.perSecond);
    measured.p99Ms.push(measuredLoad.p99Ms);
  }
  return { id: workload.id, title: workload.title, server, ...measured, ...withTarget(target) };
}

/** Updates a program every second without changing it, so that checked responses stay the same. */
function changeEverySecond(url: string): () => void {
  let id = 0;
  const change = async (): Promise<void> => {
    id = (id % programs) + 1;
    const query = `mutation { updateProgram(id: ${id}, input: { duration: "4 Years" }) { version } }`;
    const headers = { 'content-type': 'application/json', 'x-api-key': adminKey };
    await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  };
  const timer = setInterval(() => void change(), 1_000);
  return () => clearInterval(timer);
}
