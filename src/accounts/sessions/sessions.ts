import { databaseNow } from '../../database/locks.ts';
import type { Database, Transaction } from '../../database/types.ts';
import type { ApiKey, User } from '../../generated/prisma/client.ts';
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

interface Source {
  readonly key: Pick<ApiKey, 'id' | 'readOnly' | 'expiresAt' | 'endsAt'> | null;
  /** When a token expires. */
  readonly expiresAt: Date | null;
  readonly providerSession: string | null;
}

interface SessionOptions {
  /** The browser. */
  readonly name: string;
  readonly requestId: string;
}

/** A session is a key of its user; returns the key itself, for the cookie. */
async function createSession(tx: Transaction, user: User, source: Source, options: SessionOptions): Promise<string> {
  const { key, providerSession } = source;
  const now = (await databaseNow(tx)).getTime();
  const ends = [
    now + longestMs,
    ...[key?.endsAt, key?.expiresAt, source.expiresAt].map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY),
  ];
  const endsAt = new Date(Math.min(...ends));
  await tx.apiKey.deleteMany({
    where: { userId: user.id, kind: 'session', expiresAt: { lt: new Date(now - forgottenAfterMs) } },
  });
  const actor: Actor = { name: user.name, keyId: key?.id ?? null, requestId: options.requestId };
  const { secret } = await createKey(tx, actor, user, {
    name: options.name,
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
export function signInWithKey(db: Database, caller: Caller, options: SessionOptions): Promise<string> {
  const { name, keyId, expiresAt } = caller;
  if (!caller.active || name === null) throw userNotAuthenticated();
  return db.$transaction(async (tx) => {
    if (keyId !== null) {
      const key = await lockApiKey(tx, keyId);
      if (stateOf(key, await databaseNow(tx)) !== 'active') throw apiKeyInvalid();
      return createSession(tx, key.user, { key, expiresAt: null, providerSession: null }, options);
    }
    const role = roles.find((each) => permissionsOf([each]).size === caller.permissions.size) ?? 'guest';
    const identity = { issuer: 'token', subject: name, name, role, providerSession: null };
    const user = await userOf(tx, identity, options.requestId);
    return createSession(tx, user, { key: null, expiresAt, providerSession: null }, options);
  });
}

/** @throws ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT` when no active administrator would be left. */
export function signInAs(db: Database, identity: Identity, options: SessionOptions): Promise<string> {
  return db.$transaction(async (tx) => {
    const user = await userOf(tx, identity, options.requestId);
    const { providerSession } = identity;
    return createSession(tx, user, { key: null, expiresAt: null, providerSession }, options);
  });
}

/** The user who is tied to an identity, with its present name and role; made at the first sign-in. */
async function userOf(tx: Transaction, identity: Identity, requestId: string): Promise<User> {
  const { issuer, subject, role } = identity;
  const known = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.disabled === true) throw userNotAuthenticated();
  const holder = await tx.user.findUnique({ where: { name: identity.name } });
  // A name that somebody else has is nobody's identity: theirs stays theirs.
  const name =
    holder === null || holder.id === known?.id ? identity.name : `${identity.name} (${subject})`.slice(0, 255);
  const actor: Actor = { name, keyId: null, requestId };
  if (known !== null) return changeUser(tx, actor, { id: known.id }, { name, role });
  const { id } = await addUser(tx, actor, name, role);
  return tx.user.update({ where: { id }, data: { issuer, subject } });
}

/** Revokes sessions; keys stay as they are. Returns how many. */
export async function endSessions(
  db: Database,
  where: { readonly id: number } | { readonly user: object; readonly providerSession?: string },
  requestId: string,
): Promise<number> {
  return db.$transaction(async (tx) => {
    const found = await tx.apiKey.findMany({
      where: { ...where, kind: 'session', revokedAt: null },
      include: { user: true },
    });
    for (const { id, user } of found) await revokeKey(tx, { name: user.name, keyId: id, requestId }, id);
    return found.length;
  });
}
