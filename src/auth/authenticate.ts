import type { Database } from '../database/client.ts';
import { findKey, type StoredKey, stateOf } from './accounts.ts';
import { canBeApiKey, hashApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { credentialOf } from './credential.ts';
import { isRole, permissionsOf } from './permissions.ts';
import { apiKeyInvalid, apiKeyMissing } from './refusals.ts';

/** The headers that can carry a credential. */
export interface CredentialHeaders {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

/** Finds out who stands behind a request. */
export type Authenticate = (headers: CredentialHeaders) => Promise<Caller>;

/**
 * Makes the check of credentials.
 *
 * @returns a function from a request's headers to its caller; it throws ServiceError `API_KEY_MISSING`
 *   or `API_KEY_INVALID` (`service.md` 5.3).
 */
export function createAuthenticate({ db }: { readonly db: Database }): Authenticate {
  return async ({ apiKey, authorization }) => {
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined) throw apiKeyMissing();
    if (!canBeApiKey(credential)) throw apiKeyInvalid();
    const key = await findKey(db, hashApiKey(credential));
    if (key === null || stateOf(key, new Date()) !== 'active') throw apiKeyInvalid();
    return callerOf(key);
  };
}

function callerOf(key: StoredKey): Caller {
  const { user } = key;
  return {
    name: user.name,
    active: !user.disabled,
    // A role that this version does not know, written by hand or by a newer one, allows nothing.
    permissions: permissionsOf(isRole(user.role) ? [user.role] : []),
    readOnly: key.readOnly,
    keyId: key.id,
  };
}
