import type { Caller } from '../auth/caller.ts';
import { userNotAuthenticated } from '../auth/errors.ts';
import type { Permission } from '../auth/permissions.ts';
import { ServiceError } from '../errors.ts';

/**
 * Who may ask for a field: anyone with a good key, any active user, or an active user with a
 * permission (`docs/contract.md` 4).
 */
export type Access = 'key' | 'user' | Permission;

/** What a field needs of its caller. */
export interface Requirement {
  readonly access: Access;
  /** Whether it changes something, which a read-only key may not. */
  readonly writes: boolean;
}

/**
 * Lets a caller pass or throws: the one check of permissions, for a field of GraphQL and for the
 * REST endpoint that runs it.
 *
 * @throws ServiceError `UNAUTHENTICATED` when no active user stands behind the credential, `FORBIDDEN`
 *   when the key is read-only or the permission is missing.
 */
export function authorize(caller: Caller, { access, writes }: Requirement): void {
  if (access === 'key') return;
  if (!caller.active) throw userNotAuthenticated();
  if (writes && caller.readOnly) throw new ServiceError('FORBIDDEN', 'This API key is read-only.');
  if (access !== 'user' && !caller.permissions.has(access)) {
    throw new ServiceError('FORBIDDEN', `You need the permission ${access}.`);
  }
}
