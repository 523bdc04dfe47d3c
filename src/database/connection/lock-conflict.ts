import { DatabaseError } from 'pg';
import { sqlState } from './sqlstate.ts';

const codes: ReadonlySet<string | undefined> = new Set([sqlState.lockNotAvailable, sqlState.deadlockDetected]);

/** Another session holds a lock. */
export function isLockConflict(cause: unknown): boolean {
  return cause instanceof DatabaseError && codes.has(cause.code);
}
