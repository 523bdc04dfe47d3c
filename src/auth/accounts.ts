import { type Actor, recordChange } from '../database/audit.ts';
import type { Transaction } from '../database/client.ts';
import { ServiceError } from '../errors.ts';
import type { ApiKey, User } from '../generated/prisma/client.ts';
import { hashApiKey, makeApiKey, shownPrefixOf } from './api-key.ts';
import type { Role } from './permissions.ts';

/** A key with its user, as it is stored. */
export type StoredKey = ApiKey & { readonly user: User };

/** Where a key is in its life. */
export type KeyState = 'active' | 'expired' | 'revoked';

/** Whether a key works now, or why it does not. */
export function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked';
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

/**
 * Adds a user.
 *
 * @throws ServiceError `CONFLICT` when there is one of that name.
 */
export async function addUser(tx: Transaction, actor: Actor, name: string, role: Role): Promise<User> {
  const there = await tx.user.findUnique({ where: { name } });
  if (there !== null) throw new ServiceError('CONFLICT', `User ${name} exists already.`);
  const user = await tx.user.create({ data: { name, role } });
  await recordChange(tx, actor, { action: 'create', subject: 'User', subjectId: user.id, after: shownOfUser(user) });
  return user;
}

/**
 * Changes a user's role, or disables or enables them.
 *
 * @throws ServiceError `NOT_FOUND` when there is no such user; `CONFLICT` when no active administrator would be left.
 */
export async function changeUser(
  tx: Transaction,
  actor: Actor,
  name: string,
  change: { readonly role?: Role; readonly disabled?: boolean },
): Promise<User> {
  // One change of users at a time, so that two administrators cannot demote each other at once.
  await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
  const before = await tx.user.findUnique({ where: { name } });
  if (before === null) throw new ServiceError('NOT_FOUND', `User ${name} does not exist.`);
  const after = await tx.user.update({ where: { name }, data: change });
  if ((await tx.user.count({ where: { role: 'admin', disabled: false } })) === 0) {
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

interface NewKey {
  readonly name?: string;
  readonly expiresAt?: Date;
  readonly readOnly?: boolean;
  /** The key itself, when the operator brings one; else one is made. */
  readonly secret?: string;
}

/** Makes a key for a user. The secret is in the result and nowhere else. */
export async function createKey(
  tx: Transaction,
  actor: Actor,
  user: User,
  { name = '', expiresAt, readOnly = false, secret = makeApiKey() }: NewKey = {},
): Promise<{ key: StoredKey; secret: string }> {
  const key = await tx.apiKey.create({
    data: {
      userId: user.id,
      name,
      hash: hashApiKey(secret),
      prefix: shownPrefixOf(secret),
      readOnly,
      expiresAt: expiresAt ?? null,
    },
  });
  await recordChange(tx, actor, { action: 'create', subject: 'ApiKey', subjectId: key.id, after: shownOfKey(key) });
  return { key: { ...key, user }, secret };
}

/**
 * Revokes a key; one that is revoked already stays as it is.
 *
 * @throws ServiceError `NOT_FOUND` when there is no such key.
 */
export async function revokeKey(tx: Transaction, actor: Actor, id: number): Promise<StoredKey> {
  await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id} FOR UPDATE`;
  const before = await tx.apiKey.findUnique({ where: { id }, include: { user: true } });
  if (before === null) throw new ServiceError('NOT_FOUND', `Key ${id} does not exist.`);
  if (stateOf(before, new Date()) === 'revoked') return before;
  const after = await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() }, include: { user: true } });
  await recordChange(tx, actor, { action: 'revoke', subject: 'ApiKey', subjectId: id, before: shownOfKey(before) });
  return after;
}
