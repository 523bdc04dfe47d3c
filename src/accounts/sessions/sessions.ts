import { databaseNow } from '../../database/locks.ts';
import type { Database, Transaction } from '../../database/types.ts';
import type { ApiKey, Prisma, User } from '../../generated/prisma/client.ts';
import type { Actor } from '../audit/audit.ts';
import { apiKeyInvalid, userNotAuthenticated } from '../authentication/errors.ts';
import type { Caller } from '../caller.ts';
import { stateOf } from '../keys/api-key.ts';
import { createKey, lockApiKey, revokeKey } from '../keys/keys.ts';
import { sessionIdleMs } from '../keys/last-used.ts';
import { permissionsOf, type Role, roles } from '../permissions.ts';
import { addUser, changeUser } from '../users.ts';

/** A session lives 12 hours from its last use, and no longer than this (`docs/contract.md` 3). */
const longestMs = 7 * 86_400_000;
const forgottenAfterMs = 30 * 86_400_000;

/** Who somebody is at an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  /** The session at the provider. */
  readonly providerSession: string | null;
}

/** Why somebody is not signed in; the console has a sentence for each. */
type SignInProblem = 'no-role' | 'disabled' | 'away' | 'failed';

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, cause?: unknown) {
    super(`Sign-in: ${problem}.`, { cause });
    this.problem = problem;
  }
}

/** Of the request that signs in or out, for the audit log. */
type Origin = Pick<Actor, 'requestId' | 'changeId'>;

interface NewSession {
  /** The browser. */
  readonly name: string;
  readonly key?: ApiKey;
  /** When a token expires. */
  readonly expiresAt?: Date | null;
  readonly providerSession?: string | null;
}

/** A session is a key of its user; returns the key itself, for the cookie. */
async function createSession(tx: Transaction, user: User, session: NewSession, origin: Origin): Promise<string> {
  const { name, key, expiresAt, providerSession = null } = session;
  const now = (await databaseNow(tx)).getTime();
  const ends = [key?.endsAt, key?.expiresAt, expiresAt].map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY);
  const endsAt = new Date(Math.min(now + longestMs, ...ends));
  const forgotten = { userId: user.id, kind: 'session', expiresAt: { lt: new Date(now - forgottenAfterMs) } };
  await tx.apiKey.deleteMany({ where: forgotten });
  const actor: Actor = { name: user.name, keyId: key?.id ?? null, ...origin };
  const { secret } = await createKey(tx, actor, user, {
    name,
    expiry: new Date(Math.min(now + sessionIdleMs, endsAt.getTime())),
    readOnly: key?.readOnly ?? false,
    session: { endsAt, madeFrom: key?.id ?? null, providerSession },
  });
  return secret;
}

/**
 * Signs in with a key or token. The session ends with it, and is read-only when it is.
 * @throws ServiceError `API_KEY_INVALID` when the key has ended meanwhile; `UNAUTHENTICATED` without an active user.
 */
export function signInWithKey(db: Database, caller: Caller, browser: string, origin: Origin): Promise<string> {
  const { name, keyId, expiresAt, permissions } = caller;
  if (!caller.active || name === null) throw userNotAuthenticated();
  return db.$transaction(async (tx) => {
    if (keyId === null) {
      const role = roles.find((each) => permissionsOf([each]).size === permissions.size) ?? 'guest';
      const user = await userOf(tx, { issuer: 'token', subject: name, name, role, providerSession: null }, origin);
      return createSession(tx, user, { name: browser, expiresAt }, origin);
    }
    const key = await lockApiKey(tx, keyId);
    if (stateOf(key, await databaseNow(tx)) !== 'active') throw apiKeyInvalid();
    return createSession(tx, key.user, { name: browser, key }, origin);
  });
}

/** @throws ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT` when no active administrator would be left. */
export function signInAs(db: Database, identity: Identity, browser: string, origin: Origin): Promise<string> {
  const { providerSession } = identity;
  return db.$transaction(async (tx) =>
    createSession(tx, await userOf(tx, identity, origin), { name: browser, providerSession }, origin),
  );
}

/** The user who is tied to an identity, with its present name and role; made at the first sign-in. */
async function userOf(tx: Transaction, identity: Identity, origin: Origin): Promise<User> {
  const { issuer, subject, role } = identity;
  const known = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.disabled === true) throw userNotAuthenticated();
  const holder = await tx.user.findUnique({ where: { name: identity.name } });
  // A name that somebody else has is nobody's identity: theirs stays theirs.
  const isFree = holder === null || holder.id === known?.id;
  const name = isFree ? identity.name : `${identity.name} (${subject})`.slice(0, 255);
  const actor: Actor = { name, keyId: null, ...origin };
  if (known !== null) return changeUser(tx, actor, { id: known.id }, { name, role });
  const { id } = await addUser(tx, actor, name, role);
  return tx.user.update({ where: { id }, data: { issuer, subject } });
}

/** Revokes sessions; other keys stay as they are. */
export function endSessions(db: Database, where: Prisma.ApiKeyWhereInput, origin: Origin): Promise<void> {
  return db.$transaction(async (tx) => {
    const found = await tx.apiKey.findMany({
      where: { ...where, kind: 'session', revokedAt: null },
      include: { user: true },
    });
    for (const { id, user } of found) await revokeKey(tx, { name: user.name, keyId: id, ...origin }, id);
  });
}
