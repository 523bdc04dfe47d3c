/** Runs work when its turn has come. */
export type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const noLimit: Limit = (work) => work();

interface Wait {
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
}

/**
 * Runs at most `max` pieces of work at the same time, the others in the order in which they came. Work that waits longer
 * than its timeout rejects with the error of `onTimeout`; without one, it waits for as long as it takes.
 */
export function createLimit(max: number, { timeoutMs, onTimeout }: Partial<Wait> = {}): Limit {
  let running = 0;
  const queue = new Set<() => void>();

  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        queue.delete(start);
        reject(onTimeout?.() ?? new Error('There was no turn in time.'));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      queue.add(start);
    });

  return async (work) => {
    if (running < max) running += 1;
    else await wait();
    try {
      return await work();
    } finally {
      // The next one takes this place.
      const [next] = queue;
      if (next === undefined) running -= 1;
      else {
        queue.delete(next);
        next();
      }
    }
  };
}
