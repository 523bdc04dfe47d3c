/** The work of a moment, to compare others with: what a quiet machine of the usual kind does in 10 ms. */
const unitMs = 10;
const sample = Array.from({ length: 2_000 }, (_, index) => ({
  id: index,
  name: `Program ${index}`,
  codes: ['L1', 'L2'],
}));

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** How much slower than usual this machine is at the moment: 1 or more. */
export function slowness(): number {
  const began = process.cpuUsage();
  for (let time = 0; time < 8; time += 1) JSON.parse(JSON.stringify(sample));
  return Math.max(1, cpuMs(process.cpuUsage(began)) / unitMs);
}

/**
 * The longest time for which something held the event loop of this process: wall-clock time or CPU time, whichever is
 * less, so that what other processes do meanwhile does not count.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let turn = { wall: performance.now(), cpu: process.cpuUsage() };
  const look = (): void => {
    const now = { wall: performance.now(), cpu: process.cpuUsage() };
    longest = Math.max(longest, Math.min(now.wall - turn.wall, cpuMs(now.cpu) - cpuMs(turn.cpu)));
    turn = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}
