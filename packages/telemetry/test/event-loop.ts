import { expect } from 'vitest';

/** CPU time of the calibration loop on an idle machine. */
const unitMs = 10;
const sample = Array.from({ length: 2_000 }, (_, index) => ({
  id: index,
  name: `Course ${index}`,
  codes: ['L1', 'L2'],
}));

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** How many times slower than an idle machine this one is now: 1 or more. */
function slowness(): number {
  const start = process.cpuUsage();
  for (let time = 0; time < 8; time += 1) JSON.parse(JSON.stringify(sample));
  return Math.max(1, cpuMs(process.cpuUsage(start)) / unitMs);
}

/**
 * The longest time, in ms, for which this process blocked its event loop: the lesser of wall-clock and CPU time, so that
 * other processes do not count.
 */
async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let turn = { wall: performance.now(), cpu: process.cpuUsage() };
  const sampleTurn = (): void => {
    const now = { wall: performance.now(), cpu: process.cpuUsage() };
    longest = Math.max(longest, Math.min(now.wall - turn.wall, cpuMs(now.cpu) - cpuMs(turn.cpu)));
    turn = now;
    // Not at once: with nothing to do, the processor is PostgreSQL's.
    if (!isOver) setTimeout(sampleTurn, 1);
  };
  setImmediate(sampleTurn);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  sampleTurn();
  return longest;
}

/** The least CPU time, in ms, that this process takes for work in some attempts: the first ones are compiled as they run. */
export async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const start = process.cpuUsage();
    await work();
    least = Math.min(least, cpuMs(process.cpuUsage(start)));
  }
  return least;
}

/** A hold of this length is no outlier: no further attempts. */
const surelyBlockedMs = 1_000;
const attemptsMax = 6;

/**
 * Expects that work does not block the event loop for longer than `boundMs`, on an idle machine. It is repeated, and must
 * not be cached between attempts: what it takes is the same each time, what other processes take from it is not.
 */
export async function expectNotBlocked(
  boundMs: number,
  work: (attempt: number) => Promise<unknown>,
  what = '',
): Promise<void> {
  const held: number[] = [];
  do {
    const hold = await longestHoldMs(() => work(held.length));
    if (hold < boundMs || hold < boundMs * slowness()) return;
    held.push(hold);
  } while (held.length < attemptsMax && Math.max(...held) < surelyBlockedMs);
  expect(held, what).toEqual([]);
}
