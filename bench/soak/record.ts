import { monitorEventLoopDelay } from 'node:perf_hooks';
import { median } from '../median.ts';

/** A slower response, unless delayed by the client, fails the soak. */
const slowMs = 1_000;
/** The most that memory may grow from the second to the last quarter of the run. */
const growthMax = 0.1;
const growthBytesMax = 20_000_000;

/** Metrics of the service at one time. */
export interface Sample {
  readonly memoryBytes: number;
  readonly subscriptions: number;
  readonly eventLoopDelayMs: number;
}

/** Collects the measurements of a soak. */
export interface SoakRecord {
  /** Sends a request and records its status and time; a failed request counts as status 0. */
  timed(kind: string, send: () => Promise<number>): Promise<number>;
  sample(sample: Sample): void;
  /** Records a fault. */
  fault(text: string): void;
  /** A summary since the last line. */
  line(minute: number): string;
  faults(): readonly string[];
}

export function createRecord(): SoakRecord {
  const faults = new Set<string>();
  /** The times of the responses that were too slow, by kind. */
  const tooSlow = new Map<string, readonly number[]>();
  const memory: number[] = [];
  let statuses = new Map<number, number>();
  let slowest = { kind: '', ms: 0 };
  let last: Sample = { memoryBytes: 0, subscriptions: 0, eventLoopDelayMs: 0 };
  let delayMs = 0;
  /** Of this process: the clients share the machine with the service, and what delays them is not the service's. */
  const clientDelay = monitorEventLoopDelay();
  clientDelay.enable();
  return {
    timed: async (kind, send) => {
      const began = performance.now();
      const status = await send().catch(() => 0);
      const ms = performance.now() - began;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (ms > slowest.ms) slowest = { kind, ms };
      if (ms > slowMs) tooSlow.set(kind, [...(tooSlow.get(kind) ?? []), ms]);
      if (status === 500) faults.add(`${kind}: a response was a 500.`);
      return status;
    },
    sample: (sample) => {
      memory.push(sample.memoryBytes);
      delayMs = Math.max(delayMs, sample.eventLoopDelayMs);
      last = sample;
    },
    fault: (text) => void faults.add(text),
    line: (minute) => {
      const counts = [...statuses].sort(([one], [other]) => one - other);
      const text = [
        `minute ${minute}: ${counts.reduce((sum, [, count]) => sum + count, 0)} requests`,
        counts.map(([status, count]) => `${status === 0 ? 'broken off' : status}: ${count}`).join(', '),
        `slowest ${Math.round(slowest.ms)} ms (${slowest.kind})`,
        `memory ${Math.round(last.memoryBytes / 1e6)} MB`,
        `subscriptions ${last.subscriptions}`,
        `event loop delayed by ${Math.round(delayMs)} ms at most`,
        `clients by ${Math.round(clientDelay.max / 1e6)} ms`,
      ].join(' | ');
      clientDelay.reset();
      statuses = new Map();
      slowest = { kind: '', ms: 0 };
      delayMs = 0;
      return text;
    },
    faults: () => [
      ...faults,
      ...[...tooSlow].map(
        ([kind, ms]) => `${kind}: ${ms.length} responses took up to ${Math.round(Math.max(...ms))} ms.`,
      ),
      ...growthOf(memory),
    ],
  };
}

function growthOf(memory: readonly number[]): string[] {
  const quarter = Math.floor(memory.length / 4);
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  if (late - early <= Math.max(growthMax * early, growthBytesMax)) return [];
  return [`Memory grew from ${Math.round(early / 1e6)} MB in the second quarter to ${Math.round(late / 1e6)} MB.`];
}
