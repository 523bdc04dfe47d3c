import { isDeepStrictEqual } from 'node:util';
import { cpuSecondsOf, cpuSecondsOfFamily } from '../cpu.ts';
import { generate, requestsMax } from './generator.ts';
import type { Sample, Workload } from './workloads.ts';

/** Responses of a workload that are compared before it is timed. */
const checkedMax = 25;

/** A process under load, and the postmaster of its database. */
export interface Target {
  readonly url: string;
  readonly pid: number;
  readonly postgresPid: number;
}

/** The result of one load. The CPU time of a request holds still on a busy machine, where rates do not. */
export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU time of each request, in microseconds. */
  readonly serverUs: number;
  readonly postgresUs: number;
}

/** Loads a server with a workload, and counts the CPU time that this takes. */
export async function load(target: Target, workload: Workload, seconds: number): Promise<Load> {
  const [server, postgres] = await cpuSeconds(target);
  const { requests, seconds: lasted, p99Ms, failed } = await generate(target.url, workload, seconds);
  if (failed > 0) throw new Error(`${workload.id}: ${failed} of ${requests} responses were not ${workload.status}.`);
  const [serverAfter, postgresAfter] = await cpuSeconds(target);
  return {
    perSecond: requests / lasted,
    p99Ms,
    serverUs: (1e6 * (serverAfter - server)) / requests,
    postgresUs: (1e6 * (postgresAfter - postgres)) / requests,
  };
}

const cpuSeconds = ({ pid, postgresPid }: Target): Promise<[number, number]> =>
  Promise.all([cpuSecondsOf(pid), cpuSecondsOfFamily(postgresPid)]);

/** Requests each record once, to fill the response cache. */
export async function warm({ url }: Target, workload: Workload): Promise<void> {
  for (let left = Math.max(500, Math.min(workload.count, requestsMax)); left > 0; ) {
    left -= (await generate(url, workload, 1)).requests;
  }
}

/** CPU time in which a server's code is optimized: before, a request takes several times as much. */
const warmCpuSeconds = 4;
/** The quickest servers are limited by the generator. */
const warmSecondsMax = 12;

/** Loads a server until its code is optimized. */
export async function warmUp(target: Target, workload: Workload): Promise<void> {
  const until = (await cpuSecondsOf(target.pid)) + warmCpuSeconds;
  for (let seconds = 0; seconds < warmSecondsMax && (await cpuSecondsOf(target.pid)) < until; seconds += 2) {
    await generate(target.url, workload, 2);
  }
}

/** Compares responses with the expected ones, twice each: executed, and cached. */
export async function check(url: string, workload: Workload): Promise<void> {
  const every = Math.max(1, Math.floor(workload.count / checkedMax));
  for (let number = 1; number <= workload.count; number += every) {
    for (const time of ['first', 'second']) {
      const { path, expected, ...request } = requestAndBody(workload.sample(number));
      const response = await fetch(url + path, request);
      const body: unknown = workload.status === 304 ? undefined : await response.json();
      const actual = workload.once ? { ...Object(body), id: undefined } : body;
      const wanted = workload.once ? { ...Object(expected), id: undefined } : expected;
      if (response.status !== workload.status || !isDeepStrictEqual(actual, wanted)) {
        throw new Error(
          `${workload.id}: the ${time} response to ${path} is wrong: ${response.status} ${JSON.stringify(body)}`,
        );
      }
    }
  }
}

function requestAndBody({ body, ...sample }: Sample): Sample & RequestInit {
  return { ...sample, ...(body !== undefined && { body }) };
}
