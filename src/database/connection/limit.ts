import { ServiceError } from '../../errors.ts';

/** Runs work when its turn has come. */
export type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const noLimit: Limit = (work) => work();

const retryAfterSeconds = 1;

/**
 * Runs at most `max` pieces of work at the same time, the others in the order in which they came.
 * @throws ServiceError `UNAVAILABLE` after a wait of `waitMs`; it waits for as long as it takes without one.
 */
export function createLimit(max: number, waitMs?: number): Limit {
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
        reject(new ServiceError('UNAVAILABLE', 'The service is overloaded. Please try again.', { retryAfterSeconds }));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
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
