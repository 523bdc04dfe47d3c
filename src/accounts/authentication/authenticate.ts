import { ServiceError } from '@service/errors';
import type { Request } from 'express';
import { decodeProtectedHeader } from 'jose';
import type { ChangeMonitor, Database } from '../../database/types.ts';
import { apiKeyInvalid, apiKeyMissing } from '../../operations/authentication-errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { isWellFormedApiKey } from '../../validation/api-key-form.ts';
import { type JwtVerifier, jwtBytesMax } from '../jwt/tokens.ts';
import { hashApiKeyAsText } from '../keys/api-key.ts';
import { createKeyReader, type KeyLookup, type ValidKey } from '../keys/key-lookup.ts';
import type { LastUsed } from '../keys/last-used.ts';
import { InvalidKey } from './errors.ts';
import type { AuthFailureLimit } from './failure-limit.ts';
import { createLookupCache } from './lookup-cache.ts';
import { callerOfToken, readTokenUsers, type TokenUser } from './token-users.ts';

/*
 * Authentication, the cheapest step first; cached results are valid while no user and no key has changed:
 * 1. `authenticateCached`, synchronous: a key in the lookup cache;
 * 2. `authenticate` with the lookup cache: known keys, and known unknown ones, take no query;
 * 3. one query by the key's hash, or the verification of the token's signature.
 */

interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
}

/** The headers of a request that may have a credential, and its address. */
export const credentialsOf = (request: Request): Credentials => ({
  apiKey: request.get('x-api-key'),
  authorization: request.get('authorization'),
  address: request.ip ?? '',
});

export type Authenticate = (credentials: Credentials) => Promise<Caller>;

/** `undefined` on a miss. */
export type AuthenticateCached = (apiKey: string | undefined, authorization: string | undefined) => Caller | undefined;

/** Whether `authenticate` waits for the keys of tokens, which come from another host. */
export type WaitsForKeys = (credentials: Credentials) => Promise<boolean>;

interface AuthenticateOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
  readonly tokens: JwtVerifier;
  readonly failureLimit: AuthFailureLimit;
  readonly lastUsed: LastUsed;
}

/** Cached valid keys, and as many invalid ones: at most some 5 MB. */
const cachedKeysMax = 10_000;

const unknownUser: TokenUser = { user: undefined, isNameDisabled: false };

/** `authenticate` throws ServiceError `API_KEY_MISSING`, `API_KEY_INVALID` (`docs/contract.md` 3) or `RATE_LIMITED`. */
export function createAuthenticate({ db, changes, tokens, failureLimit, lastUsed }: AuthenticateOptions): {
  readonly authenticate: Authenticate;
  readonly authenticateCached: AuthenticateCached;
  readonly waitsForKeys: WaitsForKeys;
} {
  const keys = createLookupCache<KeyLookup>({
    changes,
    entriesMax: cachedKeysMax,
    isValid: ({ isValid }) => isValid,
    recheckAt: ({ recheckAt }) => recheckAt,
  });
  const readKey = createKeyReader(db);
  const tokenUsers = createLookupCache<TokenUser>({
    changes,
    entriesMax: cachedKeysMax,
    isValid: () => true,
  });

  const byKey = async (given: string): Promise<Caller> => {
    const { credential, isOfCookie } = placeOf(given);
    if (!isWellFormedApiKey(credential)) throw apiKeyInvalid(new InvalidKey('unknown'));
    const id = hashApiKeyAsText(credential);
    const key = await keys.getOrLoad(id, () => readKey(id));
    if (!key.isValid) throw apiKeyInvalid(new InvalidKey(key.problem));
    if (isOfCookie && !key.isSession) throw apiKeyInvalid(new InvalidKey('misplaced'));
    return callerOf(key);
  };

  const callerOf = (key: ValidKey): Caller => {
    lastUsed.note(key.keyId);
    return key.caller;
  };

  const byToken = async (credential: string): Promise<Caller> => {
    const token = await tokens.verify(credential);
    const id = JSON.stringify([token.identity, token.subject]);
    const user = await tokenUsers.getOrLoad(id, async () => (await readTokenUsers(db, [token]))[0] ?? unknownUser);
    return callerOfToken(token, user);
  };

  /** A network of which too many have failed makes the service ask no other host; a new key is learned from tokens of others. */
  const requireKnownKey = async (credential: string, address: string): Promise<void> => {
    if (await tokens.waitsForKeys?.(credential)) failureLimit.requireSome(address);
  };

  const authenticate: Authenticate = async ({ apiKey, authorization, address }) => {
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined) throw apiKeyMissing(hasOtherScheme(authorization));
    try {
      if (!looksLikeJwt(credential)) return await byKey(credential);
      await requireKnownKey(credential, address);
      return await byToken(credential);
    } catch (problem) {
      if (problem instanceof ServiceError && problem.code === 'API_KEY_INVALID') failureLimit.count(address);
      throw problem;
    }
  };

  const authenticateCached: AuthenticateCached = (apiKey, authorization) => {
    const given = credentialOf(apiKey, authorization);
    if (given === undefined || looksLikeJwt(given)) return undefined;
    const { credential, isOfCookie } = placeOf(given);
    const key = keys.get(hashApiKeyAsText(credential));
    return key?.isValid === true && (key.isSession || !isOfCookie) ? callerOf(key) : undefined;
  };

  const waitsForKeys: WaitsForKeys = async ({ apiKey, authorization }) => {
    if (tokens.waitsForKeys === undefined) return false;
    const credential = credentialOf(apiKey, authorization);
    return credential !== undefined && looksLikeJwt(credential) && tokens.waitsForKeys(credential);
  };

  return { authenticate, authenticateCached, waitsForKeys };
}

const cookieScheme = 'Cookie ';

/** The `x-api-key` that stands for the cookie of sessions: nothing but a session counts in it (`docs/contract.md` 3). */
export const keyOfCookie = (session: string): string => cookieScheme + session;

const placeOf = (given: string): { readonly credential: string; readonly isOfCookie: boolean } =>
  given.startsWith(cookieScheme)
    ? { credential: given.slice(cookieScheme.length), isOfCookie: true }
    : { credential: given, isOfCookie: false };

const bearer = /^bearer(?:\s(.*))?$/i;

/** `x-api-key`, bare or after `Bearer`, else `Authorization: Bearer` (`docs/contract.md` 3); blank counts as none. */
export function credentialOf(apiKeyHeader: string | undefined, authorization: string | undefined): string | undefined {
  const apiKey = apiKeyHeader?.trim() ?? '';
  const afterScheme = bearer.exec(apiKey === '' ? (authorization?.trim() ?? '') : apiKey);
  if (afterScheme !== null) return afterScheme[1]?.trim();
  return apiKey === '' ? undefined : apiKey;
}

function hasOtherScheme(authorization = ''): boolean {
  return authorization.trim() !== '' && !bearer.test(authorization.trim());
}

const tokenForm = /^[\w-]+\.[\w-]*\.[\w-]*$/;

/** Three parts, and the first is a header that can be read: an API key that an operator chose may have dots, too. */
export function looksLikeJwt(credential: string): boolean {
  if (!tokenForm.test(credential)) return false;
  if (credential.length > jwtBytesMax) return true;
  try {
    decodeProtectedHeader(credential);
    return true;
  } catch {
    return false;
  }
}
