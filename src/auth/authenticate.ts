import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { Database } from '../database/connection/types.ts';
import { ServiceError } from '../errors.ts';
import { hashApiKey, hashApiKeyAsText, isWellFormedApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { credentialOf } from './credential.ts';
import { apiKeyInvalid, apiKeyMissing } from './errors.ts';
import type { AuthFailureLimit } from './failure-limit.ts';
import { clockToleranceSeconds, type JwtVerifier, looksLikeJwt } from './jwt/types.ts';
import { type KeyLookup, readKey } from './key-lookup.ts';
import type { LastUsed } from './last-used.ts';
import { createLookupCache } from './lookup-cache.ts';
import { permissionsOf } from './permissions.ts';

/** What a request says of who sent it. */
interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  /** Where it came from, for counting those who guess. */
  readonly address: string;
}

/** Finds out who stands behind a request. */
export type Authenticate = (credentials: Credentials) => Promise<Caller>;

/**
 * Recognizes a caller by a key that is remembered and good, without waiting. `undefined` says nothing: there is
 * something to look up, to verify or to refuse. Who sends the same as before on the same connection is the same: for
 * them the key is not even hashed.
 */
export type AuthenticateCached = (
  connection: object,
  apiKey: string | undefined,
  authorization: string | undefined,
) => Caller | undefined;

interface AuthenticateOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
  readonly tokens: JwtVerifier;
  readonly failureLimit: AuthFailureLimit;
  readonly lastUsed: LastUsed;
}

/** What was last recognized on a connection, and in which epoch. */
interface LastAuthenticated extends Pick<Credentials, 'apiKey' | 'authorization'> {
  readonly epoch: number;
  readonly key: KeyLookup;
}

/** Keys, and as many made-up ones, that are remembered: some 5 MB at the most. */
const cachedKeysMax = 10_000;

/**
 * Makes the check of credentials. A key that is known takes no query; nor does one that is known to be wrong.
 *
 * @returns `authenticate`, from what a request says to its caller; it throws ServiceError `API_KEY_MISSING`,
 *   `API_KEY_INVALID` (`docs/contract.md` 3), or `RATE_LIMITED` when an address has sent too many invalid ones. And
 *   `recognize`, which never throws.
 */
export function createAuthenticate({ db, changes, tokens, failureLimit, lastUsed }: AuthenticateOptions): {
  readonly authenticate: Authenticate;
  readonly authenticateCached: AuthenticateCached;
} {
  const keys = createLookupCache<KeyLookup>({
    changes,
    kind: 'access',
    entriesMax: cachedKeysMax,
    isGood: ({ works }) => works,
    goodUntil: ({ goodUntil }) => goodUntil,
  });
  const disabledNames = createLookupCache<{ disabled: boolean }>({
    changes,
    kind: 'access',
    entriesMax: cachedKeysMax,
    isGood: () => true,
  });

  const byKey = async (credential: string): Promise<Caller> => {
    if (!isWellFormedApiKey(credential)) throw apiKeyInvalid();
    const caller = enter(await keys.getOrLoad(hashApiKeyAsText(credential), () => readKey(db, hashApiKey(credential))));
    if (caller === undefined) throw apiKeyInvalid();
    return caller;
  };

  /** Lets whoever has a key that works in. */
  const enter = (key: KeyLookup): Caller | undefined => {
    if (!key.works) return undefined;
    lastUsed.note(key.keyId);
    return key.caller;
  };

  const byToken = async (credential: string): Promise<Caller> => {
    const { subject, roles, expiresAt } = await tokens.verify(credential);
    // Names are stored like this: a row that is disabled must shut out its name however the token writes it.
    const name = subject?.normalize('NFC').trim() || null;
    return {
      name,
      active: name !== null && !(await isDisabled(name)),
      permissions: permissionsOf(roles),
      readOnly: false,
      keyId: null,
      expiresAt: new Date(expiresAt.getTime() + clockToleranceSeconds * 1_000),
    };
  };

  /** The user of a token needs no row; one that is disabled shuts the token out (`docs/contract.md` 3). */
  const isDisabled = async (name: string): Promise<boolean> => {
    const { disabled } = await disabledNames.getOrLoad(name, async () => {
      const user = await db.user.findUnique({ where: { name }, select: { disabled: true } });
      return { disabled: user?.disabled ?? false };
    });
    return disabled;
  };

  const authenticate: Authenticate = async ({ apiKey, authorization, address }) => {
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined) throw apiKeyMissing();
    try {
      return await (looksLikeJwt(credential) ? byToken(credential) : byKey(credential));
    } catch (problem) {
      if (problem instanceof ServiceError && problem.code === 'API_KEY_INVALID') failureLimit.count(address);
      throw problem;
    }
  };

  const lastRecognized = new WeakMap<object, LastAuthenticated>();
  const authenticateCached: AuthenticateCached = (connection, apiKey, authorization) => {
    const last = lastRecognized.get(connection);
    const epoch = changes.epoch('access');
    if (last?.epoch === epoch && last.apiKey === apiKey && last.authorization === authorization) {
      return changes.isLive() && performance.now() < last.key.goodUntil ? enter(last.key) : undefined;
    }
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined || looksLikeJwt(credential)) return undefined;
    const key = keys.get(hashApiKeyAsText(credential));
    if (key === undefined) return undefined;
    lastRecognized.set(connection, { epoch, apiKey, authorization, key });
    return enter(key);
  };

  return { authenticate, authenticateCached: authenticateCached };
}
