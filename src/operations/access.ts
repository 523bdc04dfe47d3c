import { ServiceError } from '@service/errors';
import { TransactionRestart } from '../database/availability.ts';
import type { Permission } from '../validation/permissions.ts';
import { problem } from '../validation/problems.ts';
import { userNotAuthenticated } from './authentication-errors.ts';
import type { Caller, CallerWatch } from './caller.ts';

/** What an operation requires: a valid key, an active user, or an active user with a permission (`docs/contract.md` 4). */
export type Access = 'key' | 'user' | Permission;

export interface Requirement {
  readonly access: Access;
  /** Of a write, which a read-only key may not do. */
  readonly transaction?: string | false;
}

/**
 * Checks permission: the only check, for every operation and for fields that need more than theirs.
 * @throws ServiceError `UNAUTHENTICATED` without an active user, `FORBIDDEN` for a read-only key or without permission.
 */
export function authorize(caller: Caller, requirement: Requirement): void {
  const problem = problemOf(caller, requirement);
  if (problem !== undefined) throw problem;
}

export const isPermitted = (caller: Caller, requirement: Requirement): boolean =>
  problemOf(caller, requirement) === undefined;

function problemOf(caller: Caller, { access, transaction = false }: Requirement): ServiceError | undefined {
  if (access === 'key') return undefined;
  if (!caller.active) return userNotAuthenticated();
  if (transaction !== false && caller.readOnly) return new ServiceError('FORBIDDEN', problem('READ_ONLY'));
  if (access === 'user' || caller.permissions.has(access)) return undefined;
  return new ServiceError('FORBIDDEN', problem('NOT_PERMITTED', { permission: access }));
}

/** Error that ends work of a caller whose rights have changed. A write that begins again fails with what is so now. */
export const accessChanged = (): ServiceError =>
  new TransactionRestart('UNAVAILABLE', 'Users or keys have just changed. Please try again.');

/** Calls back when the caller may no longer do long work. Returns a function that stops. */
export function watchPermission(
  callers: CallerWatch,
  caller: Caller,
  requirement: Requirement,
  onLost: () => void,
): () => void {
  let stop = (): void => undefined;
  const watch = (known: Caller): void => {
    stop = callers.watch(known, (now) => {
      if (now !== undefined && isPermitted(now, requirement)) watch(now);
      else onLost();
    });
  };
  watch(caller);
  return () => stop();
}
