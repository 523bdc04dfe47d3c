const readsMin = 2;
/** Milliseconds of CPU time that these reads may take: when they take longer, fewer are read in the next turn. */
const readMs = 50;

/** @returns whether more milliseconds of CPU time have passed since. To ask for it takes a tenth of accepting a connection. */
export function startTimer(): (ms: number) => boolean {
  const began = performance.now();
  const usage = process.cpuUsage();
  return (ms) => {
    if (performance.now() - began <= ms) return false;
    const { user, system } = process.cpuUsage(usage);
    return user + system > 1_000 * ms;
  };
}

interface ReadsPerTurn {
  /** Returns the number of connections that may be read until `end`. */
  readonly begin: () => number;
  readonly end: () => void;
}

/**
 * Says how many connections are read in one turn of the event loop, at most `readsMax`, by the time that those before them
 * took: each may have sent thousands of parts.
 */
export function createReadsPerTurn(readsMax: number): ReadsPerTurn {
  let count = readsMax;
  let isOver = startTimer();
  return {
    begin: () => {
      isOver = startTimer();
      return count;
    },
    end: () => {
      count = isOver(readMs) ? Math.max(readsMin, count / 2) : Math.min(readsMax, count * 2);
    },
  };
}
