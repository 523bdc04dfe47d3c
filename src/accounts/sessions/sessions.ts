import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, User } from '../../generated/prisma/client.ts';
import { apiKeyInvalid, userNotAuthenticated } from '../../operations/authentication-errors.ts';
import type { Actor, Caller } from '../../operations/caller.ts';
import { highestOf, lowestRole } from '../../validation/permissions.ts';
import { keyState } from '../keys/api-key.ts';
import { createKey, endSession } from '../keys/keys.ts';
import { sessionIdleMs } from '../keys/last-used.ts';
import { unrestricted } from '../keys/made-with.ts';
import { noSignInEnd, noteSignIn } from '../keys/sign-in-end.ts';
import type { RequestOrigin } from './end-sessions.ts';
import { type Arrived, userOf } from './identities.ts';
import { requireNoLogout } from './logout-token.ts';
import { makeRoom } from './session-limits.ts';

/** A session lives 12 hours from its last use, and no longer than this (`docs/contract.md` 3). */
const longestMs = 7 * 86_400_000;

interface NewSession {
  readonly browser: string;
  /** The key that it is made from, or the session whose place it takes. */
  readonly key?: ApiKey;
  /** Expiry of the token. */
  readonly expiresAt?: Date;
  readonly source: string | null;
  readonly providerSession?: string | null;
}

/** A session is a key of its user; returns the key itself, for the cookie. */
async function createSession(
  tx: Transaction,
  user: User,
  { browser, key, expiresAt, source, providerSession = null }: NewSession,
  origin: RequestOrigin,
): Promise<string> {
  const now = (await lockAccounts(tx)).getTime();
  const actor: Actor = { name: user.name, keyId: key?.id ?? null, ...origin };
  const ends = [key?.endsAt ?? key?.expiresAt, expiresAt].map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY);
  const endsAt = new Date(Math.min(now + longestMs, ...ends));
  const isSession = key?.kind === 'session';
  const madeWith = (isSession ? key.madeWith : key?.id) ?? null;
  if (isSession) await endSession(tx, actor, key);
  const credential = { userId: user.id, ...(madeWith === null ? { source } : { madeWith }) };
  const replaces = isSession ? key.id : null;
  await makeRoom(tx, credential, actor, new Date(now), replaces);
  const { secret } = await createKey(tx, actor, user, {
    name: browser,
    expiry: new Date(Math.min(now + sessionIdleMs, endsAt.getTime())),
    readOnly: key?.readOnly ?? false,
    inherited: { ...unrestricted, madeWith, signIn: key ?? noSignInEnd },
    replaces,
    session: { endsAt, source, providerSession: isSession ? key.providerSession : providerSession },
  });
  return secret;
}

/**
 * Signs in with a key or token. The session ends with it, and is read-only when it is; made from a session, it takes the
 * place of that one, so that all sessions of a key are one generation.
 * @throws ServiceError `API_KEY_INVALID` when the key has ended since; `UNAUTHENTICATED` without an active user;
 *   `RATE_LIMITED` for too many sessions of that credential within an hour.
 */
export async function signInWithKey(
  tx: Transaction,
  caller: Caller,
  browser: string,
  origin: RequestOrigin,
): Promise<string> {
  const { name, keyId, token } = caller;
  if (!caller.active || name === null) throw userNotAuthenticated();
  if (keyId !== null) {
    const now = await lockAccounts(tx);
    const key = await tx.apiKey.findUnique({ where: { id: keyId }, include: { user: true } });
    if (key === null || keyState(key, now) !== 'active') throw apiKeyInvalid();
    return createSession(tx, key.user, { browser, key, source: key.source }, origin);
  }
  if (!token?.identity) throw userNotAuthenticated();
  const role = highestOf(token.roles) ?? lowestRole;
  const user = await userOf(tx, { ...token.identity, name, role }, 'token', origin);
  if (token.expiresAt <= (await lockAccounts(tx))) throw apiKeyInvalid();
  return createSession(tx, user, { browser, expiresAt: token.expiresAt, source: 'token' }, origin);
}

/**
 * Signs in a person of the identity provider, which revives the keys that they made for themselves.
 * @param days `OWN_KEYS_SIGN_IN_DAYS`
 * @throws SignInError `no-role`, `failed` after a logout; ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT`
 *   when no active administrator would be left.
 */
export async function signInAs(
  tx: Transaction,
  identity: Arrived,
  browser: string,
  days: number,
  origin: RequestOrigin,
): Promise<string> {
  const now = await lockAccounts(tx);
  await requireNoLogout(tx, identity);
  const { id } = await userOf(tx, identity, 'provider', origin);
  const user = await noteSignIn(tx, id, now, days);
  const { providerSession } = identity;
  return createSession(tx, user, { browser, source: 'provider', providerSession }, origin);
}
