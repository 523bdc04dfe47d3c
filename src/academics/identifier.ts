import { z } from 'zod';
import { ServiceError, shortened } from '../errors.ts';

/** The largest identifier that the database can hold: a signed 32-bit integer, as GraphQL's `Int`. */
export const identifierMax = 2_147_483_647;

/** The identifier of a record. 0 is one that no record has; a negative one is an error (`docs/contract.md` 2). */
export const identifier = z.object({
  id: z.number('id must be an integer.').int('id must be an integer.').min(0, 'id must not be negative.'),
});

/** Characters of an identifier in a message; callers may send thousands of digits. */
const shownMax = 1_000;

/** The words for a record that does not exist, or no longer exists; the same on both surfaces. */
export function notFound(kind: 'Program' | 'Branch', id: number | string): ServiceError {
  return new ServiceError('NOT_FOUND', `${kind} ${shortened(String(id), shownMax)} does not exist.`);
}

/** The error for a record that cannot be created, for want of an identifier. */
export function identifiersExhausted(cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', 'No identifier is left for a new record. Please tell the operators.', {
    status: 507,
    cause,
  });
}
