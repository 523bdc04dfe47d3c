import type { Freshness } from '../database/change-log/freshness.ts';
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
  /**
   * Authenticates the caller again if users or keys have changed meanwhile.
   *
   * @throws ServiceError when the caller no longer has the same permissions.
   */
  requireCurrent(): Promise<void>;
}

interface ReauthenticationOptions {
  readonly takeSnapshot: () => Freshness;
  readonly caller: Caller;
  /** Taken when the caller's authentication began. */
  readonly snapshot: Freshness;
  readonly authenticate: () => Promise<Caller>;
}

/** Users and keys rarely change; more than one repetition is unusual. */
const attemptsMax = 3;

class Outdated extends ServiceError {
  constructor() {
    super('UNAVAILABLE', 'Users or keys have just changed. Please try again.', { retryAfterSeconds: 1 });
  }
}

/** Creates the reauthentication of a request: two comparisons while no user and no key changes. */
export function createReauthentication(options: ReauthenticationOptions): Reauthentication {
  const { takeSnapshot, caller, authenticate } = options;
  let { snapshot } = options;
  const begin = (): void => {
    if (snapshot.hasChanged()) throw new Outdated();
  };
  const requireCurrent = async (): Promise<void> => {
    if (!snapshot.hasChanged()) return;
    const now = takeSnapshot();
    if (!maySame(caller, await authenticate())) throw new Outdated();
    snapshot = now;
  };
  const attempt = async <Result>(
    work: (begin: () => void) => Promise<Result>,
    attemptsLeft: number,
  ): Promise<Result> => {
    await requireCurrent();
    try {
      return await work(begin);
    } catch (problem) {
      if (!(problem instanceof Outdated) || !snapshot.hasChanged() || attemptsLeft === 0) throw problem;
      return attempt(work, attemptsLeft - 1);
    }
  };
  return { whileCurrent: (work) => attempt(work, attemptsMax - 1), requireCurrent };
}
