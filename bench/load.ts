import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import { median } from './median.ts';
import type { Sample, Workload } from './workloads.ts';

const connections = 32;
/** So many answers of a work are compared whole before it is timed. */
const checkedMax = 25;
/** So many different requests are made; with more records, those of the first. */
const requestsMax = 5_000;

/** What a load came to. */
export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Asks a server for what a work asks, with 32 connections, each in turn for those records that fall to it. */
export function load(url: string, work: Workload, seconds: number): Promise<Load> {
  return fire(url, work, { duration: seconds });
}

/** Asks once for each record, so that all that can be kept is. */
export async function warm(url: string, work: Workload): Promise<void> {
  await fire(url, work, { amount: Math.max(500, Math.min(work.count, requestsMax)) });
}

async function fire(url: string, work: Workload, extent: { duration: number } | { amount: number }): Promise<Load> {
  const steps = Array.from({ length: Math.min(work.count, requestsMax) }, (_, index) =>
    requestOf(work.step(index + 1)),
  );
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    ...extent,
    ...(work.once ? { requests: steps.map((step) => ({ ...step, setupRequest: withOwnKey })) } : {}),
    setupClient: (made) => {
      const own = steps.filter((_step, index) => index % connections === (client % steps.length) % connections);
      client += 1;
      if (!work.once) made.setRequests(own);
    },
  });
  const right = result.statusCodeStats?.[`${work.status}`]?.count ?? 0;
  const wrong = result.errors + result.timeouts + result.requests.total - right;
  if (wrong > 0) throw new Error(`${work.id}: ${wrong} of ${result.requests.total} answers were not ${work.status}.`);
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

/** The time that a single request takes, in milliseconds: the median of many, one after another. */
export async function latency(url: string, work: Workload): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    const {
      path,
      expected: _expected,
      ...request
    } = requestAndBody(work.step(1 + Math.floor(Math.random() * work.count)));
    const began = performance.now();
    const answer = await fetch(url + path, request);
    await answer.arrayBuffer();
    if (turn >= 100) times.push(performance.now() - began);
  }
  return median(times);
}

/** Compares answers with what they must be, twice each: made, and kept. */
export async function check(url: string, work: Workload): Promise<void> {
  const every = Math.max(1, Math.floor(work.count / checkedMax));
  for (let number = 1; number <= work.count; number += every) {
    for (const time of ['first', 'second']) {
      const { path, expected, ...request } = requestAndBody(work.step(number));
      const answer = await fetch(url + path, request);
      const body: unknown = work.status === 304 ? undefined : await answer.json();
      const seen = work.once ? { ...Object(body), id: undefined } : body;
      const right = work.once ? { ...Object(expected), id: undefined } : expected;
      if (answer.status !== work.status || !isDeepStrictEqual(seen, right)) {
        throw new Error(`${work.id}: the ${time} answer to ${path} is wrong: ${answer.status} ${JSON.stringify(body)}`);
      }
    }
  }
}

function requestAndBody({ body, ...step }: Sample): Sample & RequestInit {
  return { ...step, ...(body !== undefined && { body }) };
}
