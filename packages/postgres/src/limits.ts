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

export interface SharedWait {
  /** How many pieces of work an owner may have at a time, the others' work aside. */
  readonly ofOwnerMax: number;
  /** How many more may wait; the next reject at once, as those that waited in vain. */
  readonly waitingOfOwnerMax: number;
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
}

interface Waiting {
  readonly sharers: Sharers;
  readonly start: (owner: string) => void;
}

/** Runs at most `max` pieces of work at a time, others in the order of their calls. */
export const createLimit = (max: number): Limit => createSharedLimit(max)('');

/**
 * Runs at most `max` pieces of work at a time, and so many of one owner, others in turns of their owners, those of each in
 * the order of its calls. Work that waits longer than its timeout rejects with the error of `onTimeout`; without one, it
 * waits on. Its signal ends the wait.
 */
export function createSharedLimit(
  max: number,
  {
    ofOwnerMax = max,
    waitingOfOwnerMax = Number.POSITIVE_INFINITY,
    timeoutMs,
    onTimeout = () => new Error('There was no turn in time.'),
  }: Partial<SharedWait> = {},
): SharedLimit {
  let running = 0;
  const runningOf = new Map<string, number>();
  /** By who began the work; whose turn is next comes first. */
  const queues = new Map<string, Set<Waiting>>();

  /** Who may start. */
  const ownerWithRoom = ({ owners }: Sharers): string | undefined =>
    running < max ? owners.find((owner) => (runningOf.get(owner) ?? 0) < ofOwnerMax) : undefined;
  const countRunning = (owner: string, by: 1 | -1): void => {
    running += by;
    count(runningOf, owner, by);
  };

  const leaveQueue = ({ owner }: Sharers, waiting: Waiting): void => {
    const queue = queues.get(owner);
    queue?.delete(waiting);
    if (queue?.size === 0) queues.delete(owner);
  };

  const wait = (sharers: Sharers, signal: AbortSignal | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        leaveQueue(sharers, waiting);
      };
      const start = (owner: string): void => {
        end();
        countRunning(owner, 1);
        resolve(owner);
      };
      const giveUp = (): void => {
        end();
        reject(onTimeout());
      };
      const leave = (): void => {
        end();
        reject(signal?.reason);
      };
      const waiting = { sharers, start };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', leave);
      queues.set(sharers.owner, (queues.get(sharers.owner) ?? new Set()).add(waiting));
      sharers.onJoined = startNext;
    });

  const startNext = (): void => {
    for (const [first, queue] of queues) {
      for (const { sharers, start } of queue) {
        const owner = ownerWithRoom(sharers);
        if (owner === undefined) continue;
        start(owner);
        queues.delete(first);
        if (queue.size > 0) queues.set(first, queue);
        return;
      }
    }
  };

  return (given) => {
    const sharers = typeof given === 'string' ? new Sharers(given) : given;
    return async (work, signal) => {
      signal?.throwIfAborted();
      let owner = ownerWithRoom(sharers);
      if (owner !== undefined) countRunning(owner, 1);
      else if ((queues.get(sharers.owner)?.size ?? 0) >= waitingOfOwnerMax) throw onTimeout();
      else owner = await wait(sharers, signal);
      try {
        return await work();
      } finally {
        countRunning(owner, -1);
        startNext();
      }
    };
  };
}

/** Keeps no owner whose count is zero. */
function count(counts: Map<string, number>, owner: string, by: 1 | -1): void {
  const now = (counts.get(owner) ?? 0) + by;
  if (now === 0) counts.delete(owner);
  else counts.set(owner, now);
}
