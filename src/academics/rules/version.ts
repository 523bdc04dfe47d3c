import { ServiceError } from '@service/errors';
import { z } from 'zod';
import { orAbsent } from '../../validation/optional.ts';
import { problem } from '../../validation/problems.ts';

/** The version that an update expects (optimistic locking); absent: any. */
export const expectedVersion = orAbsent(z.number());

/** @throws ServiceError `CONFLICT`, with the `snapshot` of the record, when it has been changed since. */
export function requireVersion<Snapshot extends object>(
  kind: 'Program' | 'Branch',
  record: { readonly id: number; readonly version: number; readonly updatedAt: Date },
  expected: number | undefined,
  snapshot: Snapshot,
): void {
  const { id, version, updatedAt } = record;
  if (expected === undefined || expected === version) return;
  throw new ServiceError('CONFLICT', problem('CHANGED', { kind, id, version, expected }), {
    current: { id, ...snapshot, version, updatedAt: updatedAt.toISOString() },
  });
}
