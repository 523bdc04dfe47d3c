import { z } from 'zod';
import { ServiceError } from '../errors.ts';

/** The version that a change expects its record to have; absent: any. */
export const expectedVersion = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);

/**
 * Holds a record against the version that a change expects.
 *
 * @throws ServiceError `CONFLICT` when someone else has changed the record since.
 */
export function requireVersion(
  kind: 'Program' | 'Branch',
  record: { readonly id: number; readonly version: number },
  expected: number | undefined,
): void {
  if (expected === undefined || expected === record.version) return;
  throw new ServiceError(
    'CONFLICT',
    `${kind} ${record.id} has been changed: its version is ${record.version}, not ${expected}.`,
  );
}
