import { ServiceError } from '@service/errors';
import { databaseNow, lockOrNotFound } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, Prisma, User } from '../../generated/prisma/client.ts';
import { validationFailed } from '../../validation/validate.ts';
import { type Actor, recordChange } from '../audit/audit.ts';
import type { KeyFilter } from '../schemas.ts';
import { displayPrefixOf, hashApiKey, inState, makeApiKey, stateOf } from './api-key.ts';
import { type Expiry, longestMs } from './duration.ts';

export type StoredKey = ApiKey & { readonly user: User };

/** The key with this hash, whatever its state. */
export async function findKey(db: Transaction, hash: Uint8Array<ArrayBuffer>): Promise<StoredKey | null> {
  return db.apiKey.findUnique({ where: { hash }, include: { user: true } });
}

const auditSnapshotOfKey = ({ userId, name, prefix, readOnly, expiresAt }: ApiKey) => ({
  userId,
  name,
  prefix,
  readOnly,
  expiresAt: expiresAt?.toISOString() ?? null,
});

const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/** @throws ServiceError `VALIDATION_FAILED` for a time that has passed, by the clock of the database, or is too far away. */
function timeOf(expiry: Expiry, now: Date): Date | null {
  if (typeof expiry === 'number') return Number.isFinite(expiry) ? after(now, Math.min(expiry, longestMs)) : null;
  if (expiry <= now) throw validationFailed({ expiresAt: ['expiresAt must be in the future.'] });
  if (expiry > after(now, longestMs)) throw validationFailed({ expiresAt: ['expiresAt must be within 36525 days.'] });
  return expiry;
}

interface NewKey {
  readonly name?: string;
  readonly expiry?: Expiry | undefined;
  /** By default, whether the user is a viewer or a guest. */
  readonly readOnly?: boolean | undefined;
  readonly secret?: string;
  /** Of a session; `expiry` is then its first. */
  readonly session?: {
    readonly endsAt: Date;
    readonly madeFrom: number | null;
    readonly providerSession: string | null;
  };
}

/** Only the result has the secret. */
export async function createKey(
  tx: Transaction,
  actor: Actor,
  user: User,
  {
    name = '',
    expiry = Number.POSITIVE_INFINITY,
    readOnly = user.role === 'viewer' || user.role === 'guest',
    secret = makeApiKey(),
    session,
  }: NewKey = {},
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
      expiresAt: timeOf(expiry, createdAt),
      ...(session !== undefined && { kind: 'session', ...session }),
    },
  });
  await recordChange(tx, actor, {
    action: 'create',
    subject: 'ApiKey',
    subjectId: key.id,
    after: auditSnapshotOfKey(key),
  });
  return { key: { ...key, user }, secret };
}

export const lockApiKey = (tx: Transaction, id: number): Promise<StoredKey> =>
  lockOrNotFound(tx, {
    kind: 'Key',
    id,
    lock: 'SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE',
    read: () => tx.apiKey.findUnique({ where: { id }, include: { user: true } }),
  });

/** Sessions end with the key that they were made from, which is locked: none is being made from it. */
async function limitSessionsOf(tx: Transaction, { id, userId }: ApiKey): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET revoked_at = coalesce(api_keys.revoked_at, source.revoked_at),
      expires_at = least(api_keys.expires_at, source.expires_at), ends_at = least(api_keys.ends_at, source.expires_at)
    FROM api_keys source WHERE source.id = ${id} AND api_keys.user_id = ${userId} AND api_keys.made_from = source.id`;
}

/** Leaves a revoked key as it is; throws ServiceError `NOT_FOUND` when there is no such key. */
export async function revokeKey(tx: Transaction, actor: Actor, id: number): Promise<StoredKey> {
  const before = await lockApiKey(tx, id);
  if (before.revokedAt !== null) return before;
  const revokedAt = await databaseNow(tx);
  const revoked = await tx.apiKey.update({ where: { id }, data: { revokedAt }, include: { user: true } });
  await limitSessionsOf(tx, revoked);
  await recordChange(tx, actor, {
    action: 'revoke',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
  });
  return revoked;
}

interface KeyChanges {
  readonly name?: string | undefined;
  readonly expiry?: Expiry | undefined;
}

/** @throws ServiceError `NOT_FOUND`; `CONFLICT` for a new expiry of an invalid key, which stays invalid. */
export async function changeKey(tx: Transaction, actor: Actor, id: number, changes: KeyChanges): Promise<StoredKey> {
  const before = await lockApiKey(tx, id);
  const { name = before.name, expiry } = changes;
  const expiresAt = expiry === undefined ? before.expiresAt : await newExpiry(tx, before, expiry);
  if (name === before.name && expiresAt?.getTime() === before.expiresAt?.getTime()) return before;
  const changed = await tx.apiKey.update({ where: { id }, data: { name, expiresAt }, include: { user: true } });
  await limitSessionsOf(tx, changed);
  await recordChange(tx, actor, {
    action: 'update',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
    after: auditSnapshotOfKey(changed),
  });
  return changed;
}

async function newExpiry(tx: Transaction, key: StoredKey, expiry: Expiry): Promise<Date | null> {
  const now = await databaseNow(tx);
  const state = stateOf(key, now);
  if (state !== 'active')
    throw new ServiceError('CONFLICT', `Key ${key.id} is ${state}: only an active key can expire at another time.`);
  requireNoSession(key);
  return timeOf(expiry, now);
}

function requireNoSession({ id, kind }: ApiKey): void {
  if (kind === 'session') throw new ServiceError('CONFLICT', `Key ${id} is a session, which only its use prolongs.`);
}

/** The keys that a filter asks for, by id. */
export async function listKeys(db: Transaction, filter: KeyFilter = {}): Promise<StoredKey[]> {
  return db.apiKey.findMany({ where: await matching(db, filter), include: { user: true }, orderBy: { id: 'asc' } });
}

/** @throws ServiceError `NOT_FOUND` when it names a user who does not exist. */
export async function matching(db: Transaction, filter: KeyFilter): Promise<Prisma.ApiKeyWhereInput> {
  const { user, userId, state, expiresBefore, unusedSince } = filter;
  if (user !== undefined && (await db.user.count({ where: { name: user } })) === 0) {
    throw new ServiceError('NOT_FOUND', `User ${user} does not exist.`);
  }
  return {
    AND: [
      user === undefined ? {} : { user: { name: user } },
      userId === undefined ? {} : { userId },
      state === undefined ? {} : inState(state, await databaseNow(db)),
      expiresBefore === undefined ? {} : { expiresAt: { lt: expiresBefore } },
      unusedSince === undefined
        ? {}
        : { OR: [{ lastUsedAt: { lt: unusedSince } }, { lastUsedAt: null, createdAt: { lt: unusedSince } }] },
    ],
  };
}

/** Locks the keys of a user until the transaction ends. */
export async function lockKeysOf(tx: Transaction, userId: number): Promise<ApiKey[]> {
  await tx.$queryRaw`SELECT 1 FROM api_keys WHERE user_id = ${userId} FOR UPDATE`;
  return tx.apiKey.findMany({ where: { userId }, orderBy: { id: 'asc' } });
}

interface Rotation {
  readonly key: StoredKey;
  readonly secret: string;
  readonly replaced: StoredKey;
}

/**
 * Same user, name, restrictions and lifetime; the old key works until the overlap has passed, never past its own expiry
 * (`docs/contract.md` 3). Without an overlap it is revoked, which no clock can undo.
 * @throws ServiceError `NOT_FOUND` when there is no such key; `CONFLICT` when it is no longer valid.
 */
export async function rotateKey(tx: Transaction, actor: Actor, id: number, overlapMs: number): Promise<Rotation> {
  const before = await lockApiKey(tx, id);
  const now = await databaseNow(tx);
  const state = stateOf(before, now);
  if (state !== 'active')
    throw new ServiceError('CONFLICT', `Key ${id} is ${state}: only an active key can be rotated.`);
  requireNoSession(before);
  const { user, name, readOnly, createdAt, expiresAt } = before;
  const end = after(now, overlapMs);
  const made = await createKey(tx, actor, user, {
    name,
    readOnly,
    ...(expiresAt !== null && { expiry: expiresAt.getTime() - createdAt.getTime() }),
  });
  const replaced = await tx.apiKey.update({
    where: { id },
    data: overlapMs === 0 ? { revokedAt: now } : { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end },
    include: { user: true },
  });
  await limitSessionsOf(tx, replaced);
  await recordChange(tx, actor, {
    action: 'rotate',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
    after: { ...auditSnapshotOfKey(replaced), replacedBy: made.key.id },
  });
  return { ...made, replaced };
}
