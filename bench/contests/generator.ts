// Loads a server over 32 connections, by `wrk`: a generator that takes a core for itself slows every server to its own pace,
// which flatters slow ones.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  /** Responses with the status of an error, and requests without one. */
  readonly failed: number;
}

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

/** Sends the requests of a workload in turn, each as soon as its connection is free. */
export async function generate(url: string, workload: Workload, seconds: number): Promise<Counted> {
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
