import { ServiceError } from '@service/errors';
import { userNotAuthenticated } from './authentication-errors.ts';
import type { Caller } from './caller.ts';
import type { Permission } from './permissions.ts';

/** What an operation requires: a valid key, an active user, or an active user with a permission (`docs/contract.md` 4). */
export type Access = 'key' | 'user' | Permission;

export interface Requirement {
  readonly access: Access;
  /** Whether it writes, which a read-only key may not. */
  readonly writes?: string | boolean;
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

function problemOf(caller: Caller, { access, writes = false }: Requirement): ServiceError | undefined {
  if (access === 'key') return undefined;
  if (!caller.active) return userNotAuthenticated();
  if (writes !== false && caller.readOnly) return new ServiceError('FORBIDDEN', 'This API key is read-only.');
  if (access === 'user' || caller.permissions.has(access)) return undefined;
  return new ServiceError('FORBIDDEN', `You need the permission ${access}.`);
}
