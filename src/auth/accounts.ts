import { type Actor, recordChange } from '../database/audit.ts';
import { databaseNow } from '../database/connection/clock.ts';
import { lockOrNotFound } from '../database/connection/lock.ts';
import type { Transaction } from '../database/connection/types.ts';
import { ServiceError } from '../errors.ts';
import type { ApiKey, User } from '../generated/prisma/client.ts';
import { displayPrefixOf, hashApiKey, makeApiKey } from './api-key.ts';
import type { Role } from './permissions.ts';

/** A key with its user, as it is stored. */
export type StoredKey = ApiKey & { readonly user: User };

/** Where a key is in its life. */
export type KeyState = 'active' | 'expired' | 'revoked';

/**
 * Whether a key works, or why it does not. Once revoked is revoked, whatever any clock says.
 *
 * @param now by the clock of the database, as `databaseNow` reads it.
 */
export function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** Finds a key by its hash, whatever its state. */
export async function findKey(db: Transaction, hash: Uint8Array<ArrayBuffer>): Promise<StoredKey | null> {
  return db.apiKey.findUnique({ where: { hash }, include: { user: true } });
}

/** What the audit log shows of a user. */
const shownOfUser = ({ name, role, disabled }: User) => ({ name, role, disabled });

/** What the audit log shows of a key: nothing of its secret. */
const shownOfKey = ({ userId, name, prefix, readOnly, expiresAt }: ApiKey) => ({
  userId,
  name,
  prefix,
  readOnly,
  expiresAt: expiresAt?.toISOString() ?? null,
});

/** One change of users at a time: two administrators cannot demote each other at once, nor two add the same name. */
async function lockUsers(tx: Transaction): Promise<void> {
  await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
}

/** All users, by identifier. */
export async function listUsers(db: Transaction): Promise<User[]> {
  return db.user.findMany({ orderBy: { id: 'asc' } });
}

/**
 * Adds a user.
 *
 * @throws ServiceError `CONFLICT` when there is one of that name.
 */
export async function addUser(tx: Transaction, actor: Actor, name: string, role: Role): Promise<User> {
  await lockUsers(tx);
  const there = await tx.user.findUnique({ where: { name } });
  if (there !== null) throw new ServiceError('CONFLICT', `User ${name} exists already.`);
  const user = await tx.user.create({ data: { name, role } });
  await recordChange(tx, actor, { action: 'create', subject: 'User', subjectId: user.id, after: shownOfUser(user) });
  return user;
}

/**
 * Finds the user that a key is for, or adds them.
 *
 * @param role what the user's role must be, and is when they are added; `undefined` takes only one who is there.
 * @throws ServiceError `NOT_FOUND` when there is no such user and no role is given; `CONFLICT` when their role is another.
 */
export async function findOrAddUser(
  tx: Transaction,
  actor: Actor,
  name: string,
  role: Role | undefined,
): Promise<User> {
  await lockUsers(tx);
  const user = await tx.user.findUnique({ where: { name } });
  if (user === null) {
    if (role !== undefined) return addUser(tx, actor, name, role);
    throw new ServiceError('NOT_FOUND', `User ${name} does not exist: give a role to add them.`);
  }
  if (role !== undefined && role !== user.role) {
    throw new ServiceError('CONFLICT', `User ${name} has the role ${user.role}, not ${role}.`);
  }
  return user;
}

/** Whether a user may do everything now. */
export const isActiveAdministrator = ({ role, disabled }: User): boolean => role === 'admin' && !disabled;

/**
 * Changes a user's role, or disables or enables them; what is so already stays as it is.
 *
 * @throws ServiceError `NOT_FOUND` when there is no such user; `CONFLICT` when no active administrator would be left.
 */
export async function changeUser(
  tx: Transaction,
  actor: Actor,
  name: string,
  change: { readonly role?: Role; readonly disabled?: boolean },
): Promise<User> {
  await lockUsers(tx);
  const before = await tx.user.findUnique({ where: { name } });
  if (before === null) throw new ServiceError('NOT_FOUND', `User ${name} does not exist.`);
  const { role = before.role, disabled = before.disabled } = change;
  if (role === before.role && disabled === before.disabled) return before;
  const after = await tx.user.update({ where: { name }, data: { role, disabled } });
  const leaves = isActiveAdministrator(before) && !isActiveAdministrator(after);
  if (leaves && (await tx.user.count({ where: { role: 'admin', disabled: false } })) === 0) {
    throw new ServiceError(
      'CONFLICT',
      `User ${name} is the last active administrator: give another one the role first.`,
    );
  }
  await recordChange(tx, actor, {
    action: 'update',
    subject: 'User',
    subjectId: after.id,
    before: shownOfUser(before),
    after: shownOfUser(after),
  });
  return after;
}

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

interface NewKey {
  readonly name?: string;
  /** How long it works, in milliseconds; for ever when not given. */
  readonly lifetimeMs?: number;
  readonly readOnly?: boolean;
  /** The key itself, when the operator brings one; else one is made. */
  readonly secret?: string;
}

/** Makes a key for a user. The secret is in the result and nowhere else. */
export async function createKey(
  tx: Transaction,
  actor: Actor,
  user: User,
  { name = '', lifetimeMs, readOnly = false, secret = makeApiKey() }: NewKey = {},
): Promise<{ key: StoredKey; secret: string }> {
  const createdAt = await databaseNow(tx);
  const key = await tx.apiKey.create({
    data: {
      userId: user.id,
      name,
      hash: hashApiKey(secret),
      prefix: displayPrefixOf(secret),
      readOnly,
      createdAt,
      expiresAt: lifetimeMs === undefined ? null : after(createdAt, lifetimeMs),
    },
  });
  await recordChange(tx, actor, { action: 'create', subject: 'ApiKey', subjectId: key.id, after: shownOfKey(key) });
  return { key: { ...key, user }, secret };
}

/** Locks and reads a key. */
const lockKey = (tx: Transaction, id: number): Promise<StoredKey> =>
  lockOrNotFound(tx, {
    kind: 'Key',
    id,
    lock: 'SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE',
    read: () => tx.apiKey.findUnique({ where: { id }, include: { user: true } }),
  });

/**
 * Revokes a key; one that is revoked already stays as it is.
 *
 * @throws ServiceError `NOT_FOUND` when there is no such key.
 */
export async function revokeKey(tx: Transaction, actor: Actor, id: number): Promise<StoredKey> {
  const before = await lockKey(tx, id);
  if (before.revokedAt !== null) return before;
  const revokedAt = await databaseNow(tx);
  const revoked = await tx.apiKey.update({ where: { id }, data: { revokedAt }, include: { user: true } });
  await recordChange(tx, actor, { action: 'revoke', subject: 'ApiKey', subjectId: id, before: shownOfKey(before) });
  return revoked;
}

/** All keys, or those of one user, by identifier, whatever their state. */
export async function listKeys(db: Transaction, userName?: string): Promise<StoredKey[]> {
  if (userName !== undefined && (await db.user.count({ where: { name: userName } })) === 0) {
    throw new ServiceError('NOT_FOUND', `User ${userName} does not exist.`);
  }
  const where = userName === undefined ? {} : { user: { name: userName } };
  return db.apiKey.findMany({ where, include: { user: true }, orderBy: { id: 'asc' } });
}

/** A key that has taken the place of another. */
interface Rotation {
  readonly key: StoredKey;
  readonly secret: string;
  /** The old key, which stops working after the overlap; without one, it is revoked. */
  readonly replaced: StoredKey;
}

/**
 * Makes a key to take the place of another: same user, name and restrictions, and the lifetime of the old one
 * anew. The old key works until the overlap has passed, never past its own expiry (`docs/contract.md` 3); without an overlap
 * it is revoked, which no clock can undo.
 *
 * @throws ServiceError `NOT_FOUND` when there is no such key; `CONFLICT` when it does not work any more.
 */
export async function rotateKey(tx: Transaction, actor: Actor, id: number, overlapMs: number): Promise<Rotation> {
  const before = await lockKey(tx, id);
  const now = await databaseNow(tx);
  const state = stateOf(before, now);
  if (state !== 'active')
    throw new ServiceError('CONFLICT', `Key ${id} is ${state}: only an active key can be rotated.`);
  const { user, name, readOnly, createdAt, expiresAt } = before;
  const end = after(now, overlapMs);
  const made = await createKey(tx, actor, user, {
    name,
    readOnly,
    ...(expiresAt !== null && { lifetimeMs: expiresAt.getTime() - createdAt.getTime() }),
  });
  const replaced = await tx.apiKey.update({
    where: { id },
    data: overlapMs === 0 ? { revokedAt: now } : { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end },
    include: { user: true },
  });
  await recordChange(tx, actor, {
    action: 'rotate',
    subject: 'ApiKey',
    subjectId: id,
    before: shownOfKey(before),
    after: { ...shownOfKey(replaced), replacedBy: made.key.id },
  });
  return { ...made, replaced };
}
