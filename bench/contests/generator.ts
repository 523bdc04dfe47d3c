// Loads a server over 32 connections: by `wrk` where it is installed. autocannon takes a core for itself, and on two cores
// slows every server to its own pace, which flatters slow ones.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { z } from 'zod';
import type { Sample, Workload } from './workloads.ts';

const connections = 32;
/** Different requests per workload; with more records, only the first ones are requested. */
export const requestsMax = 5_000;

/** What a generator counted. */
interface Counted {
  readonly requests: number;
  readonly seconds: number;
  readonly p99Ms: number;
  /** Responses with another status than the expected one (with `wrk`: an error), and requests without one. */
  readonly failed: number;
}

export const generator = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';

/** Sends the requests of a workload in turn, each as soon as its connection is free. */
export const generate: (url: string, workload: Workload, seconds: number) => Promise<Counted> =
  generator === 'wrk' ? byWrk : byAutocannon;

const samplesOf = (workload: Workload): Sample[] =>
  Array.from({ length: Math.min(workload.count, requestsMax) }, (_, index) => workload.sample(index + 1));

let runs = 0;

/** So that each request of a workload that writes has its own key. */
const prefix = (): string => {
  runs += 1;
  return `bench-${process.pid}-${runs}-`;
};

const keyHeader = 'idempotency-key';
const counted = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()]);

async function byWrk(url: string, workload: Workload, seconds: number): Promise<Counted> {
  const dir = await mkdtemp(join(tmpdir(), 'wrk-'));
  try {
    const script = join(dir, 'requests.lua');
    await writeFile(script, luaOf(workload));
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, url];
    const { stdout } = await promisify(execFile)('wrk', args);
    const [requests, microseconds, p99, failed] = counted.parse(/^counted (.+)$/m.exec(stdout)?.[1]?.split(' '));
    return { requests, seconds: microseconds / 1e6, p99Ms: p99 / 1_000, failed };
  } finally {
    await rm(dir, { recursive: true });
  }
}

const luaText = (text: string): string => `[==[${text}]==]`;

function luaOf(workload: Workload): string {
  const key = prefix();
  const requests = samplesOf(workload).map(({ method, path, headers, body }) => {
    const all = { ...headers, ...(workload.once && { [keyHeader]: key }) };
    const table = Object.entries(all).map(([name, value]) => `[ ${luaText(name)} ] = ${luaText(value)}`);
    const given = [method, path].map(luaText).join(', ');
    return `wrk.format(${given}, { ${table.join(', ')} }, ${body === undefined ? 'nil' : luaText(body)})`;
  });
  return `
    local requests, turn = {}, 0
    function init()
      ${requests.map((request) => `requests[#requests + 1] = ${request}`).join('\n')}
    end
    function request()
      turn = turn + 1
      local text = requests[(turn - 1) % #requests + 1]
      ${workload.once ? `text = string.gsub(text, ${luaText(key.replaceAll('-', '%-'))}, ${luaText(key)} .. turn)` : ''}
      return text
    end
    function done(summary, latency)
      local errors = summary.errors
      io.write(string.format("counted %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(99),
        errors.status + errors.connect + errors.read + errors.write + errors.timeout))
    end`;
}

async function byAutocannon(url: string, workload: Workload, seconds: number): Promise<Counted> {
  const samples = samplesOf(workload).map(
    ({ method, path, headers, body }): autocannon.Request => ({
      method,
      path,
      headers: { ...headers },
      ...(body !== undefined && { body }),
    }),
  );
  const key = prefix();
  let [client, keys] = [0, 0];
  const withOwnKey = (request: autocannon.Request): autocannon.Request => {
    keys += 1;
    return { ...request, headers: { ...request.headers, [keyHeader]: key + keys } };
  };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(workload.once ? { requests: samples.map((sample) => ({ ...sample, setupRequest: withOwnKey })) } : {}),
    setupClient: (connection) => {
      const own = samples.filter((_sample, index) => index % connections === (client % samples.length) % connections);
      client += 1;
      if (!workload.once) connection.setRequests(own);
    },
  });
  const { total } = result.requests;
  const succeeded = result.statusCodeStats?.[`${workload.status}`]?.count ?? 0;
  const failed = result.errors + result.timeouts + total - succeeded;
  return { requests: total, seconds: result.duration, p99Ms: result.latency.p99, failed };
}
