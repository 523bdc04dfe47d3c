import { ServiceError } from '@service/errors';
import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { User } from '../../generated/prisma/client.ts';
import { userNotAuthenticated } from '../../operations/authentication-errors.ts';
import type { Actor, Subject } from '../../operations/caller.ts';
import type { Role } from '../../validation/permissions.ts';
import { isReservedName } from '../audit/audit.ts';
import { nameMax } from '../schemas.ts';
import { addUser, changeLockedUser, lockUser, setIdentity, type UserReference } from '../users.ts';
import { endAllOfTokens, endSessions, type RequestOrigin } from './end-sessions.ts';
import { SignInError } from './sign-in-error.ts';

/** A person at an identity provider, or of a token. */
export interface Identity extends Subject {
  readonly name: string;
  /** The role that the claims give; `undefined` without a claim of roles, which leaves the role of a known user. */
  readonly role?: Role | undefined;
  /** The role of a new user whom the claims give none. */
  readonly firstRole?: Role | undefined;
}

/** A person who comes back from the identity provider. */
export interface Arrived extends Identity {
  /** The session at the provider; `null` when it names none. */
  readonly providerSession: string | null;
  /** When the provider issued the ID token. */
  readonly issuedAt: Date;
}

/**
 * The user who is tied to an identity, with its present name and role; made at the first sign-in.
 * @throws SignInError `no-role`; ServiceError `UNAUTHENTICATED` for a disabled user; `CONFLICT` when no active
 *   administrator would be left.
 */
export async function userOf(
  tx: Transaction,
  identity: Identity,
  source: 'provider' | 'token',
  origin: RequestOrigin,
): Promise<User> {
  const { issuer, subject, role } = identity;
  await lockAccounts(tx);
  const known = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.disabled === true) throw userNotAuthenticated();
  // Keys and sessions made with tokens of another role end: they would have the new role from now on.
  if (known !== null && source === 'token' && known.role !== role) await endAllOfTokens(tx, known, origin);
  const name = await freeNameOf(tx, identity, known);
  const actor: Actor = { name, keyId: null, ...origin };
  const user =
    known === null ? await add(tx, actor, identity) : await changeLockedUser(tx, actor, known, { name, role });
  const roleFromClaims = role !== undefined;
  if (user.roleFromClaims === roleFromClaims) return user;
  return tx.user.update({ where: { id: user.id }, data: { roleFromClaims } });
}

async function add(tx: Transaction, actor: Actor, { role, firstRole, ...identity }: Identity): Promise<User> {
  const first = role ?? firstRole;
  if (first === undefined) throw new SignInError('no-role');
  return addUser(tx, actor, actor.name, first, identity);
}

/**
 * The name of an identity, unless somebody else has it, whose it stays: then it is followed by the `sub`; and by a number,
 * when that is another's too, such as the same person's at an earlier address of the provider.
 */
async function freeNameOf(tx: Transaction, { name, subject }: Identity, known: User | null): Promise<string> {
  for (let number = 0; ; number += 1) {
    const suffix = [` (${shortened(subject, 200)})`, ` ${number}`].slice(0, number).join('');
    const spelling = shortened(name, nameMax - suffix.length) + suffix;
    if (isReservedName(spelling)) continue;
    if (spelling === known?.name || (await tx.user.findUnique({ where: { name: spelling } })) === null) return spelling;
  }
}

const shortened = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

/**
 * Ties the identity of one user to another, as whom that person then signs in. What began by an identity of either ends.
 * @throws ServiceError `NOT_FOUND`; `CONFLICT` when the first has no identity.
 */
export async function moveIdentity(
  tx: Transaction,
  actor: Actor,
  from: UserReference,
  to: UserReference,
): Promise<User> {
  const [giver, receiver] = [await lockUser(tx, from), await lockUser(tx, to)];
  const { issuer, subject, roleFromClaims } = giver;
  if (issuer === null) {
    throw new ServiceError('CONFLICT', `User ${giver.name} has never signed in at an identity provider.`);
  }
  if (giver.id === receiver.id) return receiver;
  for (const user of [giver, receiver]) {
    await endSessions(tx, { userId: user.id, source: 'provider' }, actor);
    await endAllOfTokens(tx, user, actor);
  }
  await setIdentity(tx, actor, giver, { issuer: null, subject: null, roleFromClaims: false });
  return setIdentity(tx, actor, receiver, { issuer, subject, roleFromClaims });
}
