// Limits of concurrent work, such as of connections that callers share.

/** Runs work when its turn has come. */
export type Limit = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** The limit of each owner: they share what there is. */
export type SharedLimit = (owner: string | Sharers) => Limit;

/** Runs all work at once. */
export const noLimit: Limit = (work) => work();

/** Those who wait for the same work, which runs in the share of any of them: in that of the first, if it has room. */
export class Sharers {
  /** Who began the work. */
  readonly owner: string;
  readonly owners: string[];
  /** Looks whether the share of somebody who has joined has room. */
  onJoined: (() => void) | undefined;

  constructor(owner: string) {
    this.owner = owner;
    this.owners = [owner];
  }

  joinedBy(owner: string): void {
    if (this.owners.includes(owner)) return;
    this.owners.push(owner);
    this.onJoined?.();
  }
}

interface Wait {
  /** How many pieces of work an owner may have at a time, the others' work aside. */
  readonly ofOwnerMax: number;
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
}

/** Runs at most `max` pieces of work at a time, others in the order of their calls. */
export const createLimit = (max: number): Limit => createSharedLimit(max)('');

/**
 * Runs at most `max` pieces of work at a time, and so many of one owner, others in the order of their calls. Work that waits
 * longer than its timeout rejects with the error of `onTimeout`; without one, it waits on. Its signal ends the wait.
 */
export function createSharedLimit(
  max: number,
  { ofOwnerMax = max, timeoutMs, onTimeout }: Partial<Wait> = {},
): SharedLimit {
  let running = 0;
  const runningOf = new Map<string, number>();
  const queue = new Set<{ readonly sharers: Sharers; readonly start: (owner: string) => void }>();

  /** Who may start. */
  const ownerWithRoom = ({ owners }: Sharers): string | undefined =>
    running < max ? owners.find((owner) => (runningOf.get(owner) ?? 0) < ofOwnerMax) : undefined;
  const count = (owner: string, by: 1 | -1): void => {
    running += by;
    const now = (runningOf.get(owner) ?? 0) + by;
    if (now === 0) runningOf.delete(owner);
    else runningOf.set(owner, now);
  };

  const wait = (sharers: Sharers, signal: AbortSignal | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        queue.delete(waiting);
      };
      const start = (owner: string): void => {
        end();
        count(owner, 1);
        resolve(owner);
      };
      const giveUp = (): void => {
        end();
        reject(onTimeout?.() ?? new Error('There was no turn in time.'));
      };
      const leave = (): void => {
        end();
        reject(signal?.reason);
      };
      const waiting = { sharers, start };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', leave);
      queue.add(waiting);
      sharers.onJoined = startNext;
    });

  const startNext = (): void => {
    for (const { sharers, start } of queue) {
      const owner = ownerWithRoom(sharers);
      if (owner === undefined) continue;
      start(owner);
      return;
    }
  };

  return (given) => {
    const sharers = typeof given === 'string' ? new Sharers(given) : given;
    return async (work, signal) => {
      signal?.throwIfAborted();
      let owner = ownerWithRoom(sharers);
      if (owner === undefined) owner = await wait(sharers, signal);
      else count(owner, 1);
      try {
        return await work();
      } finally {
        count(owner, -1);
        startNext();
      }
    };
  };
}
