import { ServiceError } from '@service/errors';
import { lockAccounts } from '../../database/locks.ts';
import type { Transaction } from '../../database/types.ts';
import type { ApiKey, User } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import { makeApiKey } from '../../validation/api-key-form.ts';
import { permissionsOf, roleOf } from '../../validation/permissions.ts';
import { problem } from '../../validation/problems.ts';
import { notFound, validationFailed } from '../../validation/validate.ts';
import { writeAuditEntry } from '../audit/audit.ts';
import { displayPrefixOf, earlier, hashApiKey, inState } from './api-key.ts';
import { type Expiry, longestMs } from './duration.ts';
import { requireFewerOfAnHour } from './hourly-limit.ts';
import { type Inherited, revokeMadeWith, unrestricted } from './made-with.ts';

export type StoredKey = ApiKey & { readonly user: User };

/** Finds the key with this hash, in any state. */
export async function findKey(db: Transaction, hash: Uint8Array<ArrayBuffer>): Promise<StoredKey | null> {
  return db.apiKey.findUnique({ where: { hash }, include: { user: true } });
}

export const auditSnapshotOfKey = ({ userId, name, prefix, readOnly, expiresAt }: ApiKey) => ({
  userId,
  name,
  prefix,
  readOnly,
  expiresAt: expiresAt?.toISOString() ?? null,
});

export const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/** @throws ServiceError `VALIDATION_FAILED` for a time that has passed, by the clock of the database, or is too far away. */
export function timeOf(expiry: Expiry, now: Date): Date | null {
  if (typeof expiry === 'number') return Number.isFinite(expiry) ? after(now, Math.min(expiry, longestMs)) : null;
  if (expiry <= now) throw validationFailed({ expiresAt: [problem('PAST', { field: 'expiresAt' })] });
  if (expiry > after(now, longestMs))
    throw validationFailed({ expiresAt: [problem('TOO_FAR_AWAY', { field: 'expiresAt', days: 36_525 })] });
  return expiry;
}

/** Active keys of one user, without sessions. */
const activeKeysMax = 100;
/** Keys that one user gets within an hour by other keys or tokens: each stays in the audit log for ever. */
const hourlyKeysMax = 200;

interface NewKey {
  readonly name?: string;
  readonly expiry?: Expiry | undefined;
  /** Defaults to true for viewers and guests. */
  readonly readOnly?: boolean | undefined;
  readonly secret?: string;
  /** Restrictions of the credential of the request. */
  readonly inherited?: Inherited;
  /** The key or session whose place it takes. */
  readonly replaces?: number | null;
  /** Makes a session; `expiry` is then its first. */
  readonly session?: {
    readonly endsAt: Date;
    readonly source: string | null;
    readonly providerSession: string | null;
  };
}

/**
 * Creates a key, which ends no later than the credential that it is made with. Only the result has the secret.
 * @throws ServiceError `CONFLICT` when the user has as many active keys as one may have, `RATE_LIMITED` when keys or
 *   tokens have made too many within an hour.
 */
export async function createKey(
  tx: Transaction,
  actor: Actor,
  user: User,
  {
    name = '',
    expiry = Number.POSITIVE_INFINITY,
    readOnly = !permissionsOf(roleOf(user.role)).has('programs:write'),
    secret = makeApiKey(),
    inherited = unrestricted,
    replaces = null,
    session,
  }: NewKey = {},
): Promise<{ key: StoredKey; secret: string }> {
  const createdAt = await lockAccounts(tx);
  if (session === undefined) await requireFewerKeys(tx, user, inherited, createdAt);
  const key = await tx.apiKey.create({
    data: {
      userId: user.id,
      name,
      hash: hashApiKey(secret),
      prefix: displayPrefixOf(secret),
      readOnly: readOnly || inherited.readOnly,
      createdAt,
      expiresAt: earlier(timeOf(expiry, createdAt), inherited.latest),
      madeWith: inherited.madeWith,
      source: inherited.source,
      signInOf: inherited.signIn.signInOf,
      signInUntil: inherited.signIn.signInUntil,
      replaces,
      ...(session !== undefined && { kind: 'session', ...session }),
    },
  });
  await writeAuditEntry(tx, actor, {
    action: session === undefined ? 'create' : 'sign-in',
    subject: 'ApiKey',
    subjectId: key.id,
    after: auditSnapshotOfKey(key),
  });
  return { key: { ...key, user }, secret };
}

async function requireFewerKeys(
  tx: Transaction,
  { id: userId, name }: User,
  { madeWith, source }: Inherited,
  now: Date,
): Promise<void> {
  const keys = { userId, kind: 'key' };
  const active = await tx.apiKey.count({ where: { ...keys, ...inState('active', now) } });
  if (active >= activeKeysMax) throw new ServiceError('CONFLICT', problem('TOO_MANY_KEYS', { name, count: active }));
  // Who acts in person can always replace stolen keys.
  if (madeWith === null && source === null) return;
  const message = `User ${name} may get ${hourlyKeysMax} keys an hour. Please wait.`;
  await requireFewerOfAnHour(tx, keys, hourlyKeysMax, now, message);
}

/** The key, while no other transaction makes or changes keys; throws ServiceError `NOT_FOUND`. */
export async function lockKey(tx: Transaction, id: number): Promise<{ readonly key: StoredKey; readonly now: Date }> {
  const now = await lockAccounts(tx);
  const key = await tx.apiKey.findUnique({ where: { id }, include: { user: true } });
  if (key === null) throw notFound('Key', id);
  return { key, now };
}

interface Revoked {
  readonly key: StoredKey;
  /** Keys and sessions made with it, which were revoked too. */
  readonly revokedWith: readonly StoredKey[];
}

/**
 * Revokes a key or session, and everything made with it, even if it was revoked before.
 * @throws ServiceError `NOT_FOUND` when there is no such key.
 */
export async function revokeKey(tx: Transaction, actor: Actor, id: number): Promise<Revoked> {
  const { key: before, now } = await lockKey(tx, id);
  const madeIds = await revokeMadeWith(tx, id, now);
  const revokedWith = await tx.apiKey.findMany({
    where: { id: { in: madeIds } },
    include: { user: true },
    orderBy: { id: 'asc' },
  });
  if (before.revokedAt !== null && revokedWith.length === 0) return { key: before, revokedWith };
  const key = { ...before, revokedAt: before.revokedAt ?? now };
  await tx.apiKey.update({ where: { id }, data: { revokedAt: key.revokedAt }, select: { id: true } });
  await writeAuditEntry(tx, actor, {
    action: 'revoke',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
    ...(revokedWith.length > 0 && { after: { revokedWith: madeIds } }),
  });
  for (const made of revokedWith) {
    const before = auditSnapshotOfKey(made);
    await writeAuditEntry(tx, actor, { action: 'revoke', subject: 'ApiKey', subjectId: made.id, before });
  }
  return { key, revokedWith };
}

/** Ends a session alone: keys that were made in it stay. */
export async function endSession(tx: Transaction, actor: Actor, session: ApiKey): Promise<void> {
  const { id } = session;
  await tx.apiKey.update({ where: { id }, data: { revokedAt: await lockAccounts(tx) }, select: { id: true } });
  const before = auditSnapshotOfKey(session);
  await writeAuditEntry(tx, actor, { action: 'sign-out', subject: 'ApiKey', subjectId: id, before });
}
