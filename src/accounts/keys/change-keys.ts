import { ServiceError } from '@service/errors';
import type { Transaction } from '../../database/types.ts';
import type { Actor } from '../../operations/caller.ts';
import { problem } from '../../validation/problems.ts';
import { writeAuditEntry } from '../audit/audit.ts';
import { earlier, isLater, keyState } from './api-key.ts';
import type { Expiry } from './duration.ts';
import { after, auditSnapshotOfKey, createKey, lockKey, type StoredKey, timeOf } from './keys.ts';
import { endSessionsOf, type Inherited, shortenMadeWith, unrestricted } from './made-with.ts';

interface KeyChanges {
  readonly name?: string | undefined;
  readonly expiry?: Expiry | undefined;
}

/**
 * `inherited`: of the credential of the request, than which it makes no key end later.
 * @throws ServiceError `NOT_FOUND`; `CONFLICT` for a new expiry of an invalid key, which stays invalid; `FORBIDDEN` for
 *   one that is too late.
 */
export async function changeKey(
  tx: Transaction,
  actor: Actor,
  id: number,
  changes: KeyChanges,
  inherited = unrestricted,
): Promise<StoredKey> {
  const { key: before, now } = await lockKey(tx, id);
  const { name = before.name, expiry } = changes;
  const expiresAt = expiry === undefined ? before.expiresAt : newExpiry(before, expiry, now, inherited);
  if (name === before.name && expiresAt?.getTime() === before.expiresAt?.getTime()) return before;
  const changed = await tx.apiKey.update({ where: { id }, data: { name, expiresAt }, include: { user: true } });
  if (expiry !== undefined) {
    // Keys made with a replaced key do not end with its overlap.
    if ((await replacementOf(tx, id)) !== null) await endSessionsOf(tx, changed);
    else await shortenMadeWith(tx, id, expiresAt);
  }
  await writeAuditEntry(tx, actor, {
    action: 'update',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
    after: auditSnapshotOfKey(changed),
  });
  return changed;
}

function newExpiry(key: StoredKey, expiry: Expiry, now: Date, inherited: Inherited): Date | null {
  requireActive(key, now, 'expire at another time');
  const expiresAt = timeOf(expiry, now);
  const { signInOf, signInUntil } = inherited.signIn;
  const endsWithIt = signInOf !== null && signInOf === key.signInOf;
  const latest = endsWithIt ? inherited.latest : earlier(inherited.latest, signInUntil);
  if (isLater(expiresAt, key.expiresAt) && isLater(expiresAt, latest)) {
    const end = latest?.toISOString() ?? '';
    throw new ServiceError('FORBIDDEN', problem('ENDS_TOO_LATE', { end }));
  }
  return expiresAt;
}

function requireActive(key: StoredKey, now: Date, what: 'expire at another time' | 'be rotated'): void {
  const { id, kind } = key;
  const state = keyState(key, now);
  if (state !== 'active') throw new ServiceError('CONFLICT', problem('KEY_NOT_ACTIVE', { id, state, what }));
  if (kind === 'session') throw new ServiceError('CONFLICT', problem('KEY_IS_SESSION', { id }));
}

const replacementOf = (tx: Transaction, id: number): Promise<{ id: number } | null> =>
  tx.apiKey.findFirst({ where: { replaces: id }, select: { id: true } });

interface Rotation {
  readonly key: StoredKey;
  readonly secret: string;
  readonly replaced: StoredKey;
}

/**
 * Replaces a key by one with the same user, name, restrictions and end, at most the end of the credential of the
 * request. The old key works until the overlap has passed, never past its own expiry (`docs/contract.md` 3). Without an
 * overlap it is revoked, which no clock can undo.
 * @throws ServiceError `NOT_FOUND` when there is no such key; `CONFLICT` when it is no longer valid, or was replaced.
 */
export async function rotateKey(
  tx: Transaction,
  actor: Actor,
  id: number,
  overlapMs: number,
  inherited = unrestricted,
): Promise<Rotation> {
  const { key: before, now } = await lockKey(tx, id);
  requireActive(before, now, 'be rotated');
  const replacement = await replacementOf(tx, id);
  if (replacement !== null) throw new ServiceError('CONFLICT', problem('KEY_REPLACED', { id, other: replacement.id }));
  const { user, name, readOnly, expiresAt, source, signInOf, signInUntil } = before;
  const replaced = await tx.apiKey.update({
    where: { id },
    data: overlapMs === 0 ? { revokedAt: now } : { expiresAt: earlier(after(now, overlapMs), expiresAt) },
    include: { user: true },
  });
  const made = await createKey(tx, actor, user, {
    name,
    readOnly,
    expiry: expiresAt ?? Number.POSITIVE_INFINITY,
    inherited: {
      ...inherited,
      source: source === 'token' ? source : inherited.source,
      signIn: signInOf === null ? inherited.signIn : { signInOf, signInUntil },
    },
    replaces: id,
  });
  await endSessionsOf(tx, replaced);
  if (isLater(expiresAt, made.key.expiresAt)) await shortenMadeWith(tx, made.key.id, made.key.expiresAt);
  await writeAuditEntry(tx, actor, {
    action: 'rotate',
    subject: 'ApiKey',
    subjectId: id,
    before: auditSnapshotOfKey(before),
    after: { ...auditSnapshotOfKey(replaced), replacedBy: made.key.id },
  });
  return { ...made, replaced };
}
