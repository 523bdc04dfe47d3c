import { setTimeout as delay } from 'node:timers/promises';

/** A timer that is later than this waits for a processor, not for the service. */
const stepMaxMs = 50;
const tickMs = 20;

let runningMs = 0;
let tickedAt = performance.now();
const now = performance.now.bind(performance);
setInterval(() => {
  const at = now();
  runningMs += Math.min(at - tickedAt, stepMaxMs);
  tickedAt = at;
}, tickMs).unref();

/**
 * A clock, in ms, that stands still while this process does not run: a service that waits too long is late by it, a
 * machine that stalls is not.
 */
export function runningTime(): number {
  return runningMs;
}

/** Repeats an expectation until it is met, and returns its result; throws its last error after `timeoutMs` of running time. */
export async function within<T>(timeoutMs: number, expectation: () => T | Promise<T>, everyMs = 50): Promise<T> {
  const began = runningTime();
  for (;;) {
    // Read before the attempt: what may be late is the state, not the attempt that looks at it.
    const isLast = runningTime() - began > timeoutMs;
    try {
      return await expectation();
    } catch (error) {
      if (isLast) throw error;
    }
    await delay(everyMs);
  }
}
