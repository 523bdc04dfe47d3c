import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../errors.ts';
import { isReadOnly, toUnavailableError } from './unavailable.ts';

/** A machine that has just come up is busy with everything at once; a request could not wait so long. */
const retryForMs = 15_000;
const retryEveryMs = 200;

/**
 * Does what a start needs of the database, again and again while that is out of reach.
 *
 * @throws StartupError when it stays out of reach, the signal's reason when the start is given up, and what `work`
 *   throws for another reason.
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const until = performance.now() + retryForMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (toUnavailableError(cause) === undefined) throw cause;
      signal?.throwIfAborted();
      if (performance.now() > until) throw new StartupError(reasonFor(cause), { cause });
      await delay(retryEveryMs);
    }
  }
}

function reasonFor(cause: unknown): string {
  return isReadOnly(cause)
    ? 'The database is a read-only standby. Set DATABASE_URL to the address of the primary.'
    : 'The database does not answer in time.';
}
