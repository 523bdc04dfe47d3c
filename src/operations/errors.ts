import { ServiceError } from '@service/errors';
import { toUnavailableError } from '../database/availability.ts';

/** Maps any error to one that clients may see: a `ServiceError` as it is, a database outage, else an internal error. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return (
    toUnavailableError(error) ?? new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error.', { cause: error })
  );
}
