import type { Freshness } from '@service/change-log/change-monitor';
import { ServiceError } from '@service/errors';
import type { Caller } from '../caller.ts';
import { hasSamePermissions } from './caller-monitor.ts';

export interface Reauthentication {
  /**
   * Runs work that may wait before it calls `begin`; restarts it if users or keys changed while it waited.
   * Authentication never runs while the work holds a connection: that could exhaust the pool in a deadlock.
   * @throws ServiceError when the caller no longer has the same permissions.
   */
  whileCurrent<Result>(work: (begin: () => void) => Promise<Result>): Promise<Result>;
  /** @throws ServiceError when the caller no longer has the same permissions. */
  requireCurrent(): Promise<void>;
}

interface ReauthenticationOptions {
  readonly takeSnapshot: () => Freshness;
  readonly caller: Caller;
  /** Taken when the caller's authentication began. */
  readonly snapshot: Freshness;
  readonly authenticate: () => Promise<Caller>;
}

const attemptsMax = 3;

class Outdated extends ServiceError {
  constructor() {
    super('UNAVAILABLE', 'Users or keys have just changed. Please try again.', { retryAfterSeconds: 1 });
  }
}

export function createReauthentication(options: ReauthenticationOptions): Reauthentication {
  const { takeSnapshot, caller, authenticate } = options;
  let { snapshot } = options;
  const begin = (): void => {
    if (snapshot.hasChanged()) throw new Outdated();
  };
  const requireCurrent = async (): Promise<void> => {
    if (!snapshot.hasChanged()) return;
    const now = takeSnapshot();
    if (!hasSamePermissions(caller, await authenticate())) throw new Outdated();
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
