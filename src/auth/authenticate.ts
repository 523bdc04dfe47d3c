import type { Changes } from '../database/changes.ts';
import type { Database } from '../database/client.ts';
import { ServiceError } from '../errors.ts';
import { canBeApiKey, hashApiKey, hashApiKeyAsText } from './api-key.ts';
import type { Caller } from './caller.ts';
import { credentialOf } from './credential.ts';
import type { Guesses } from './guesses.ts';
import { type KeyReading, readKey } from './key-reading.ts';
import type { LastUsed } from './last-used.ts';
import { createMemory } from './memory.ts';
import { permissionsOf } from './permissions.ts';
import { apiKeyInvalid, apiKeyMissing } from './refusals.ts';
import { clockToleranceSeconds, looksLikeToken, type TokenVerifier } from './token-form.ts';

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
export type Recognize = (
  connection: object,
  apiKey: string | undefined,
  authorization: string | undefined,
) => Caller | undefined;

interface AuthenticateOptions {
  readonly db: Database;
  readonly changes: Changes;
  readonly tokens: TokenVerifier;
  readonly guesses: Guesses;
  readonly lastUsed: LastUsed;
}

/** What was last recognized on a connection, and in which epoch. */
interface Recognized extends Pick<Credentials, 'apiKey' | 'authorization'> {
  readonly epoch: number;
  readonly key: KeyReading;
}

/** Keys, and as many made-up ones, that are remembered: some 5 MB at the most. */
const remembered = 10_000;

/**
 * Makes the check of credentials. A key that is known takes no query; nor does one that is known to be wrong.
 *
 * @returns `authenticate`, from what a request says to its caller; it throws ServiceError `API_KEY_MISSING`,
 *   `API_KEY_INVALID` (`service.md` 5.3), or `RATE_LIMITED` when an address has sent too many invalid ones. And
 *   `recognize`, which never throws.
 */
export function createAuthenticate({ db, changes, tokens, guesses, lastUsed }: AuthenticateOptions): {
  readonly authenticate: Authenticate;
  readonly recognize: Recognize;
} {
  const keys = createMemory<KeyReading>({
    changes,
    kind: 'access',
    most: remembered,
    isGood: ({ works }) => works,
    goodUntil: ({ goodUntil }) => goodUntil,
  });
  const disabledNames = createMemory<{ disabled: boolean }>({
    changes,
    kind: 'access',
    most: remembered,
    isGood: () => true,
  });

  const byKey = async (credential: string): Promise<Caller> => {
    if (!canBeApiKey(credential)) throw apiKeyInvalid();
    const caller = enter(await keys.recall(hashApiKeyAsText(credential), () => readKey(db, hashApiKey(credential))));
    if (caller === undefined) throw apiKeyInvalid();
    return caller;
  };

  /** Lets whoever has a key that works in. */
  const enter = (key: KeyReading): Caller | undefined => {
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

  /** The user of a token needs no row; one that is disabled shuts the token out (`contract.md` 3). */
  const isDisabled = async (name: string): Promise<boolean> => {
    const { disabled } = await disabledNames.recall(name, async () => {
      const user = await db.user.findUnique({ where: { name }, select: { disabled: true } });
      return { disabled: user?.disabled ?? false };
    });
    return disabled;
  };

  const authenticate: Authenticate = async ({ apiKey, authorization, address }) => {
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined) throw apiKeyMissing();
    try {
      return await (looksLikeToken(credential) ? byToken(credential) : byKey(credential));
    } catch (problem) {
      if (problem instanceof ServiceError && problem.code === 'API_KEY_INVALID') guesses.count(address);
      throw problem;
    }
  };

  const lastRecognized = new WeakMap<object, Recognized>();
  const recognize: Recognize = (connection, apiKey, authorization) => {
    const last = lastRecognized.get(connection);
    const epoch = changes.epoch('access');
    if (last?.epoch === epoch && last.apiKey === apiKey && last.authorization === authorization) {
      return changes.hears() && performance.now() < last.key.goodUntil ? enter(last.key) : undefined;
    }
    const credential = credentialOf(apiKey, authorization);
    if (credential === undefined || looksLikeToken(credential)) return undefined;
    const key = keys.peek(hashApiKeyAsText(credential));
    if (key === undefined) return undefined;
    lastRecognized.set(connection, { epoch, apiKey, authorization, key });
    return enter(key);
  };

  return { authenticate, recognize };
}
