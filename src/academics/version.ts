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
 * @param shown what the caller is shown of the record as it is now, beside its version.
 *
 * @throws ServiceError `CONFLICT` when someone else has changed the record since.
 */
export function requireVersion<Shown extends object>(
  kind: 'Program' | 'Branch',
  record: { readonly id: number; readonly version: number; readonly updatedAt: Date },
  expected: number | undefined,
  shown: Shown,
): void {
  const { id, version, updatedAt } = record;
  if (expected === undefined || expected === version) return;
  throw new ServiceError('CONFLICT', `${kind} ${id} has been changed: its version is ${version}, not ${expected}.`, {
    current: { id, ...shown, version, updatedAt: updatedAt.toISOString() },
  });
}
