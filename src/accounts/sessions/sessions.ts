import { databaseNow } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, Prisma, User } from '../../generated/prisma/client.ts';
import { type Actor, isReservedName } from '../audit/audit.ts';
import { apiKeyInvalid, userNotAuthenticated } from '../authentication/errors.ts';
import type { Caller } from '../caller.ts';
import { tokenIssuer } from '../jwt/tokens.ts';
import { stateOf } from '../keys/api-key.ts';
import { createKey, lockApiKey, revokeKey } from '../keys/keys.ts';
import { sessionIdleMs } from '../keys/last-used.ts';
import { permissionsOf, type Role, roles } from '../permissions.ts';
import { nameMax } from '../schemas.ts';
import { addUser, changeUser, lockUsers } from '../users.ts';

/** A session lives 12 hours from its last use, and no longer than this (`docs/contract.md` 3). */
const longestMs = 7 * 86_400_000;
const forgottenAfterMs = 30 * 86_400_000;
/** Of one user, ended ones included; the oldest make room, so that signing in again and again fills no table. */
const sessionsMax = 100;

/** Who somebody is at an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  /** The session at the provider. */
  readonly providerSession: string | null;
}

/** The request that begins or ends a session, for the audit log. */
export type Origin = Pick<Actor, 'requestId' | 'changeId'>;

interface NewSession {
  readonly browser: string;
  readonly key?: ApiKey;
  /** When a token expires. */
  readonly expiresAt?: Date | null;
  readonly providerSession?: string | null;
}

/** A session is a key of its user; returns the key itself, for the cookie. */
async function createSession(
  tx: Transaction,
  user: User,
  { browser, key, expiresAt, providerSession = null }: NewSession,
  origin: Origin,
): Promise<string> {
  const now = (await databaseNow(tx)).getTime();
  const actor: Actor = { name: user.name, keyId: key?.id ?? null, ...origin };
  const ends = [key?.endsAt ?? key?.expiresAt, expiresAt].map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY);
  const endsAt = new Date(Math.min(now + longestMs, ...ends));
  const isSession = key?.kind === 'session';
  if (isSession) await revokeKey(tx, actor, key.id);
  await forgetSessions(tx, user, actor, new Date(now - forgottenAfterMs));
  const { secret } = await createKey(tx, actor, user, {
    name: browser,
    expiry: new Date(Math.min(now + sessionIdleMs, endsAt.getTime())),
    readOnly: key?.readOnly ?? false,
    session: {
      endsAt,
      madeFrom: (isSession ? key.madeFrom : key?.id) ?? null,
      providerSession: isSession ? key.providerSession : providerSession,
    },
  });
  return secret;
}

/** Removes what has expired before a time, and the oldest of too many. */
async function forgetSessions(tx: Transaction, { id: userId }: User, actor: Actor, before: Date): Promise<void> {
  const sessions = { userId, kind: 'session' };
  await tx.apiKey.deleteMany({ where: { ...sessions, expiresAt: { lt: before } } });
  const kept = { orderBy: { id: 'desc' }, skip: sessionsMax - 1, take: 20, select: { id: true } } as const;
  for (const { id } of await tx.apiKey.findMany({ where: sessions, ...kept })) {
    await revokeKey(tx, actor, id);
    await tx.apiKey.delete({ where: { id } });
  }
}

/**
 * Signs in with a key or token. The session ends with it, and is read-only when it is; made from a session, it takes the
 * place of that one, so that all sessions of a key are one generation.
 * @throws ServiceError `API_KEY_INVALID` when the key has ended since; `UNAUTHENTICATED` without an active user.
 */
export async function signInWithKey(tx: Transaction, caller: Caller, browser: string, origin: Origin): Promise<string> {
  const { name, keyId, expiresAt, permissions } = caller;
  if (!caller.active || name === null) throw userNotAuthenticated();
  if (keyId === null) {
    const role = roles.find((each) => permissionsOf([each]).size === permissions.size) ?? 'guest';
    const identity = { issuer: tokenIssuer, subject: name, name, role, providerSession: null };
    return createSession(tx, await userOf(tx, identity, origin), { browser, expiresAt }, origin);
  }
  const { madeFrom } = await tx.apiKey.findUniqueOrThrow({ where: { id: keyId } });
  // First, as revoking it does, which then sees either session.
  if (madeFrom !== null) await lockApiKey(tx, madeFrom);
  const key = await lockApiKey(tx, keyId);
  if (stateOf(key, await databaseNow(tx)) !== 'active') throw apiKeyInvalid();
  return createSession(tx, key.user, { browser, key }, origin);
}

/** @throws ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT` when no active administrator would be left. */
export async function signInAs(tx: Transaction, identity: Identity, browser: string, origin: Origin): Promise<string> {
  const { providerSession } = identity;
  return createSession(tx, await userOf(tx, identity, origin), { browser, providerSession }, origin);
}

/** The user who is tied to an identity, with its present name and role; made at the first sign-in. */
async function userOf(tx: Transaction, identity: Identity, origin: Origin): Promise<User> {
  const { issuer, subject, role } = identity;
  await lockUsers(tx);
  const known = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.disabled === true) throw userNotAuthenticated();
  // Sessions of a token with another role would have this one from now on.
  if (known !== null && issuer === tokenIssuer && known.role !== role) {
    await endSessions(tx, { userId: known.id }, origin);
  }
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

/** Revokes sessions, by somebody or else by their own users; other keys stay as they are. */
export async function endSessions(tx: Transaction, where: Prisma.ApiKeyWhereInput, by: Origin | Actor): Promise<void> {
  const sessions = { ...where, kind: 'session', revokedAt: null };
  for (const { id, user } of await tx.apiKey.findMany({ where: sessions, include: { user: true } })) {
    await revokeKey(tx, { name: user.name, keyId: id, ...by }, id);
  }
}
