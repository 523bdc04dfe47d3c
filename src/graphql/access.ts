import { ServiceError } from '@service/errors';
import { userNotAuthenticated } from '../accounts/authentication/errors.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Permission } from '../accounts/permissions.ts';

/** What a field requires: a valid key, an active user, or an active user with a permission (`docs/contract.md` 4). */
export type Access = 'key' | 'user' | Permission;

export interface Requirement {
  readonly access: Access;
  /** Whether the field is a mutation, which a read-only key may not call. */
  readonly writes: boolean;
}

/**
 * The only permission check, for GraphQL fields and the REST endpoints that run them.
 * @throws ServiceError `UNAUTHENTICATED` without an active user, `FORBIDDEN` for a read-only key or without permission.
 */
export function authorize(caller: Caller, { access, writes }: Requirement): void {
  if (access === 'key') return;
  if (!caller.active) throw userNotAuthenticated();
  if (writes && caller.readOnly) throw new ServiceError('FORBIDDEN', 'This API key is read-only.');
  if (access !== 'user' && !caller.permissions.has(access)) {
    throw new ServiceError('FORBIDDEN', `You need the permission ${access}.`);
  }
}
