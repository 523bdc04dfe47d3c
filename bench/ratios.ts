import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDatabase } from './database.ts';
import { check, load, warm } from './load.ts';
import { adminKey, type ServerProcess, startOther, startService } from './processes.ts';
import { conditional, create, fixed, prefilled, readsOf, type Workload } from './workloads.ts';

const programs = 1_000;
/** A server that has just begun is several times slower: its code is compiled as it turns out to be used. */
const warmSeconds = 2;
/** Soon after its start, a process gives back the memory that it needed for that. */
const settledMs = 20_000;

/** One line of the table. */
interface Ratio {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  /** Requests a second of each round, over those of the floor in the same round. */
  readonly ratios: readonly number[];
  readonly perSecond: readonly number[];
  readonly floorPerSecond: readonly number[];
  readonly p99Ms: readonly number[];
  /** What it must reach. */
  readonly target?: number;
}

/** All that was measured. */
export interface Results {
  readonly at: string;
  readonly machine: string;
  readonly lines: readonly Ratio[];
  readonly startMs: number;
  readonly memoryMb: { readonly idle: number; readonly underLoad: number };
}

interface Line {
  readonly work: Workload;
  readonly server: string;
  readonly url: string;
  readonly target?: number;
  /** What the work is compared with, when it is not the floor. */
  readonly base?: { readonly work: Workload; readonly url: string };
  /** Something that goes on meanwhile; returns how to end it. */
  readonly meanwhile?: () => () => void;
}

interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures W0 to W7, first answers, and the servers for comparison, each beside its floor. */
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
    const first = await started(startService(databaseUrl, { RESPONSE_CACHE_MAX_BYTES: '0' }));
    const prisma = await started(startOther('express-prisma', databaseUrl));
    const fastify = await started(startOther('fastify-pg', databaseUrl));

    await delay(quick ? 0 : settledMs);
    const idle = await service.memory();
    await load(floor.url, fixed, warmSeconds);
    const reads = readsOf(programs);
    const [one, page, , tree] = reads;
    if (one === undefined || page === undefined || tree === undefined) throw new Error('There is nothing to read.');
    const responseCache = [4, 4, 3, 2];
    const made = [0.24, 0.22, 0.19, 0.05];
    const lines: Line[] = [
      { work: fixed, server: 'node:http', url: node.url },
      ...reads.map((work, index) => ({ work, server: 'service', url: service.url, ...given(responseCache[index]) })),
      ...reads.map((work, index) => ({ work, server: 'service, nothing kept', url: first.url, ...given(made[index]) })),
      {
        work: { ...one, id: 'W6', title: 'W1 while another instance changes a program every second' },
        server: 'service',
        url: service.url,
        target: 0.9,
        base: { work: one, url: service.url },
        meanwhile: () => changeEverySecond(other.url),
      },
      { work: await conditional(service.url, one), server: 'service', url: service.url, target: 4 },
      ...[one, page].map((work) => ({ work, server: 'Express + Prisma', url: prisma.url })),
      ...[one, page].map((work) => ({ work, server: 'Fastify + pg', url: fastify.url })),
    ];
    const creates: Line[] = [
      { work: create, server: 'service', url: service.url, target: 0.33 },
      { work: create, server: 'Express + Prisma', url: prisma.url },
      { work: create, server: 'Fastify + pg', url: fastify.url },
    ];
    const results: Ratio[] = [];
    let underLoad = 0;
    for (const line of lines) {
      results.push(await measure(line, floor.url, pace));
      say(`${line.work.id} ${line.server}`);
      if (line.work === tree && line.url === service.url) {
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

const given = (target: number | undefined) => (target === undefined ? {} : { target });

/** Rounds of floor and work in turn, after the answers have been checked and both are warm. */
async function measure(line: Line, floorUrl: string, { rounds, seconds }: Rounds): Promise<Ratio> {
  const { work, server, url, target } = line;
  const base = line.base ?? { work: fixed, url: floorUrl };
  await check(url, work);
  await warm(url, work);
  await load(url, work, warmSeconds);
  const measured = {
    ratios: [] as number[],
    perSecond: [] as number[],
    floorPerSecond: [] as number[],
    p99Ms: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const below = await load(base.url, base.work, seconds);
    const end = line.meanwhile?.();
    const above = await load(url, work, seconds);
    end?.();
    measured.ratios.push(above.perSecond / below.perSecond);
    measured.perSecond.push(above.perSecond);
    measured.floorPerSecond.push(below.perSecond);
    measured.p99Ms.push(above.p99Ms);
  }
  return { id: work.id, title: work.title, server, ...measured, ...given(target) };
}

/** Gives program after program another duration, and back: the answers that are checked stay the same. */
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
