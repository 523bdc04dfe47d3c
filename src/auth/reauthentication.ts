import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { maySame } from './caller-monitor.ts';

/** The authentication of one request, which may have to be repeated when it had to wait. */
export interface Reauthentication {
  /**
   * Runs work that may wait before it begins, as for a database connection; `begin` is called when it does. When users or
   * keys have changed meanwhile, the work is given up, its caller authenticated again, and the work run anew. Nobody is
   * authenticated who holds a connection: all of them could be held by others who wait for one more.
   *
   * @throws ServiceError when the caller may no longer do what they could.
   */
  whileCurrent<Result>(work: (begin: () => void) => Promise<Result>): Promise<Result>;
}

interface RenewalOptions {
  readonly changes: Pick<ChangeMonitor, 'epoch'>;
  readonly caller: Caller;
  /** The epoch in which the caller's authentication began. */
  readonly epoch: number;
  readonly authenticate: () => Promise<Caller>;
}

/** Users and keys do not change so often that a request would meet it more than once. */
const attemptsMax = 3;

/** Something about users or keys has changed while work waited. */
class Outdated extends ServiceError {
  constructor() {
    super('UNAVAILABLE', 'Users or keys have just changed. Please try again.', { retryAfterSeconds: 1 });
  }
}

/** Makes the renewal of a request's authentication. It costs two comparisons while no user and no key changes. */
export function createReauthentication({ changes, caller, epoch, authenticate }: RenewalOptions): Reauthentication {
  let current = epoch;
  const isCurrent = (): boolean => changes.epoch('access') === current;
  const begin = (): void => {
    if (!isCurrent()) throw new Outdated();
  };
  const renew = async (): Promise<void> => {
    const now = changes.epoch('access');
    if (!maySame(caller, await authenticate())) throw new Outdated();
    current = now;
  };
  const attempt = async <Result>(
    work: (begin: () => void) => Promise<Result>,
    attemptsLeft: number,
  ): Promise<Result> => {
    if (!isCurrent()) await renew();
    try {
      return await work(begin);
    } catch (problem) {
      if (!(problem instanceof Outdated) || isCurrent() || attemptsLeft === 0) throw problem;
      return attempt(work, attemptsLeft - 1);
    }
  };
  return { whileCurrent: (work) => attempt(work, attemptsMax - 1) };
}
