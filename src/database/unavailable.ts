import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, StartupError } from '@service/errors';
import { isOutage, isReadOnly } from '@service/postgres/errors';

/** Enough for a database that starts at the same time as the service; a request could not wait so long. */
const retryForMs = 15_000;
const retryEveryMs = 200;

/** Throws `StartupError` when the database stays unavailable, the signal's reason, and any other error of `work`. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const until = performance.now() + retryForMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      signal?.throwIfAborted();
      if (performance.now() > until) throw new StartupError(reasonFor(cause), { cause });
      await delay(retryEveryMs);
    }
  }
}

function reasonFor(cause: unknown): string {
  return isReadOnly(cause)
    ? 'The database is a read-only standby. Set DATABASE_URL to the address of the primary.'
    : 'The database does not respond in time.';
}

/** Seconds after which a database that restarts is usually back. */
const retryAfterSeconds = 2;

/** `UNAVAILABLE` (retryable) for errors of an unavailable database; `undefined` for any other error. */
export function toUnavailableError(error: unknown): ServiceError | undefined {
  if (!isOutage(error)) return undefined;
  return new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.', {
    retryAfterSeconds,
    cause: error,
  });
}
