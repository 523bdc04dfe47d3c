import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import { median } from './median.ts';
import type { Sample, Workload } from './workloads.ts';

const connections = 32;
/** Responses of a workload that are compared before it is timed. */
const checkedMax = 25;
/** Different requests per workload; with more records, only the first ones are requested. */
const requestsMax = 5_000;

/** The result of one load. */
export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Runs a workload on 32 connections, which share the records among them. */
export function load(url: string, workload: Workload, seconds: number): Promise<Load> {
  return fire(url, workload, { duration: seconds });
}

/** Requests each record once, to fill the response cache. */
export async function warm(url: string, workload: Workload): Promise<void> {
  await fire(url, workload, { amount: Math.max(500, Math.min(workload.count, requestsMax)) });
}

/** Two rates in a row that differ by less than this are steady. */
const steadyWithin = 0.05;
const steadySeconds = 1;
/** On a machine whose speed changes the rate may never be steady. */
const warmSecondsMax = 12;

/** Loads a server until its rate is steady: a server is several times slower until its code has been optimized. */
export async function warmUntilSteady(url: string, workload: Workload): Promise<void> {
  let last = 0;
  for (let seconds = 0; seconds < warmSecondsMax; seconds += steadySeconds) {
    const { perSecond } = await load(url, workload, steadySeconds);
    if (Math.abs(perSecond - last) < steadyWithin * perSecond) return;
    last = perSecond;
  }
}

async function fire(url: string, workload: Workload, extent: { duration: number } | { amount: number }): Promise<Load> {
  const samples = Array.from({ length: Math.min(workload.count, requestsMax) }, (_, index) =>
    requestOf(workload.sample(index + 1)),
  );
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    ...extent,
    ...(workload.once ? { requests: samples.map((sample) => ({ ...sample, setupRequest: withOwnKey })) } : {}),
    setupClient: (connection) => {
      const own = samples.filter((_sample, index) => index % connections === (client % samples.length) % connections);
      client += 1;
      if (!workload.once) connection.setRequests(own);
    },
  });
  const succeeded = result.statusCodeStats?.[`${workload.status}`]?.count ?? 0;
  const failed = result.errors + result.timeouts + result.requests.total - succeeded;
  if (failed > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => `${count} × ${status}`);
    const all = [...statuses, `${result.errors} × no response, of these ${result.timeouts} timeouts`].join(', ');
    throw new Error(
      `${workload.id}: ${failed} of ${result.requests.total} responses were not ${workload.status}: ${all}.`,
    );
  }
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 };
}

function requestOf({ method, path, headers, body }: Sample): autocannon.Request {
  return { method, path, headers: { ...headers }, ...(body !== undefined && { body }) };
}

let keys = 0;

function withOwnKey(request: autocannon.Request): autocannon.Request {
  keys += 1;
  return { ...request, headers: { ...request.headers, 'idempotency-key': `bench-${process.pid}-${keys}` } };
}

/** The median time of sequential requests, in milliseconds. */
export async function latency(url: string, workload: Workload): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    const {
      path,
      expected: _expected,
      ...request
    } = requestAndBody(workload.sample(1 + Math.floor(Math.random() * workload.count)));
    const began = performance.now();
    const response = await fetch(url + path, request);
    await response.arrayBuffer();
    if (turn >= 100) times.push(performance.now() - began);
  }
  return median(times);
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
