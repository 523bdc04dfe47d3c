import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { maySame } from './caller-monitor.ts';

/** Repeats the authentication of a request that had to wait, if users or keys have changed meanwhile. */
export interface Reauthentication {
  /**
   * Runs work that may have to wait before it begins, e.g. for a database connection, and calls `begin` then. When
   * users or keys have changed meanwhile, the work is aborted, the caller authenticated again, and the work restarted.
   * Authentication never runs while the work holds a connection, as that could exhaust the connection pool in a
   * deadlock.
   *
   * @throws ServiceError when the caller no longer has the same permissions.
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

/** Users and keys rarely change; more than one repetition is unusual. */
const attemptsMax = 3;

class Outdated extends ServiceError {
  constructor() {
    super('UNAVAILABLE', 'Users or keys have just changed. Please try again.', { retryAfterSeconds: 1 });
  }
}

/** Costs two comparisons while no user and no key changes. */
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
