import { lockKeys } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, Prisma, User } from '../../generated/prisma/client.ts';
import { apiKeyInvalid, userNotAuthenticated } from '../../operations/authentication-errors.ts';
import type { Actor, Caller, Subject } from '../../operations/caller.ts';
import { permissionsOf, type Role, roles } from '../../operations/permissions.ts';
import { isReservedName } from '../audit/audit.ts';
import { stateOf } from '../keys/api-key.ts';
import { createKey, endSession, revokeKey } from '../keys/keys.ts';
import { sessionIdleMs } from '../keys/last-used.ts';
import { unrestricted } from '../keys/made-with.ts';
import { nameMax } from '../schemas.ts';
import { addUser, changeUser, lockUsers } from '../users.ts';
import { makeRoom } from './session-limits.ts';

/** A session lives 12 hours from its last use, and no longer than this (`docs/contract.md` 3). */
const longestMs = 7 * 86_400_000;

/** A person at an identity provider. */
export interface Identity extends Subject {
  readonly name: string;
  readonly role: Role;
  /** The session at the provider. */
  readonly providerSession: string | null;
}

/** The request that begins or ends a session, for the audit log. */
export type Origin = Pick<Actor, 'requestId' | 'changeId'>;

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
  origin: Origin,
): Promise<string> {
  const now = (await lockKeys(tx)).getTime();
  const actor: Actor = { name: user.name, keyId: key?.id ?? null, ...origin };
  const ends = [key?.endsAt ?? key?.expiresAt, expiresAt].map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY);
  const endsAt = new Date(Math.min(now + longestMs, ...ends));
  const isSession = key?.kind === 'session';
  const madeWith = (isSession ? key.madeWith : key?.id) ?? null;
  if (isSession) await endSession(tx, actor, key);
  await makeRoom(tx, { userId: user.id, ...(madeWith === null ? { source } : { madeWith }) }, actor, new Date(now));
  const { secret } = await createKey(tx, actor, user, {
    name: browser,
    expiry: new Date(Math.min(now + sessionIdleMs, endsAt.getTime())),
    readOnly: key?.readOnly ?? false,
    inherited: { ...unrestricted, madeWith },
    replaces: isSession ? key.id : null,
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
export async function signInWithKey(tx: Transaction, caller: Caller, browser: string, origin: Origin): Promise<string> {
  const { name, keyId, token } = caller;
  if (!caller.active || name === null) throw userNotAuthenticated();
  if (keyId !== null) {
    const now = await lockKeys(tx);
    const key = await tx.apiKey.findUnique({ where: { id: keyId }, include: { user: true } });
    if (key === null || stateOf(key, now) !== 'active') throw apiKeyInvalid();
    return createSession(tx, key.user, { browser, key, source: key.source }, origin);
  }
  if (!token?.identity) throw userNotAuthenticated();
  const granted = permissionsOf(token.roles);
  const role = roles.find((each) => permissionsOf([each]).size === granted.size) ?? 'guest';
  const user = await userOf(tx, { ...token.identity, name, role, providerSession: null }, 'token', origin);
  if (token.expiresAt <= (await lockKeys(tx))) throw apiKeyInvalid();
  return createSession(tx, user, { browser, expiresAt: token.expiresAt, source: 'token' }, origin);
}

/** @throws ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT` when no active administrator would be left. */
export async function signInAs(tx: Transaction, identity: Identity, browser: string, origin: Origin): Promise<string> {
  const { providerSession } = identity;
  const user = await userOf(tx, identity, 'provider', origin);
  return createSession(tx, user, { browser, source: 'provider', providerSession }, origin);
}

/** The user who is tied to an identity, with its present name and role; made at the first sign-in. */
async function userOf(
  tx: Transaction,
  identity: Identity,
  source: 'provider' | 'token',
  origin: Origin,
): Promise<User> {
  const { issuer, subject, role } = identity;
  await lockUsers(tx);
  // Keys are locked before the user changes, since a key that is being made refers to it.
  await lockKeys(tx);
  const known = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.disabled === true) throw userNotAuthenticated();
  // Keys and sessions made with tokens of another role end: they would have the new role from now on.
  if (known !== null && source === 'token' && known.role !== role) await endAllOfTokens(tx, known, origin);
  const holder = await tx.user.findUnique({ where: { name: identity.name } });
  // A name that somebody else has is nobody's identity: theirs stays theirs.
  const isFree = (holder === null || holder.id === known?.id) && !isReservedName(identity.name);
  const suffix = ` (${subject})`.slice(0, nameMax - 1);
  const name = isFree ? identity.name : identity.name.slice(0, nameMax - suffix.length) + suffix;
  const actor: Actor = { name, keyId: null, ...origin };
  if (known !== null) return changeUser(tx, actor, { id: known.id }, { name, role });
  const { id } = await addUser(tx, actor, name, role);
  return tx.user.update({ where: { id }, data: { issuer, subject } });
}

async function endAllOfTokens(tx: Transaction, { id: userId, name }: User, origin: Origin): Promise<void> {
  await endSessions(tx, { userId, source: 'token' }, origin);
  const keys = { userId, source: 'token', kind: 'key', revokedAt: null };
  for (const { id } of await tx.apiKey.findMany({ where: keys, select: { id: true } })) {
    await revokeKey(tx, { name, keyId: null, ...origin }, id);
  }
}

/** Ends sessions, by somebody or else by their own users; other keys stay as they are. */
export async function endSessions(tx: Transaction, where: Prisma.ApiKeyWhereInput, by: Origin | Actor): Promise<void> {
  await lockKeys(tx);
  const sessions = { ...where, kind: 'session', revokedAt: null };
  for (const session of await tx.apiKey.findMany({ where: sessions, include: { user: true } })) {
    await endSession(tx, { name: session.user.name, keyId: session.id, ...by }, session);
  }
}
