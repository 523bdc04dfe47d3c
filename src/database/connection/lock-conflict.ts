import { DatabaseError } from 'pg';

const codes: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/** `lock_not_available` and `deadlock_detected`: another session holds a lock. */
export function isLockConflict(cause: unknown): boolean {
  return cause instanceof DatabaseError && codes.has(cause.code);
}
