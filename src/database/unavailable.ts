import { ServiceError } from '@service/errors';
import { isOutage } from '@service/postgres/errors';

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
