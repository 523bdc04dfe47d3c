import { describe, expect, it } from 'vitest';
import { keyState } from '../../../src/accounts/keys/api-key.ts';
import { changeKey, rotateKey } from '../../../src/accounts/keys/change-keys.ts';
import { listKeys } from '../../../src/accounts/keys/key-list.ts';
import { createKey, revokeKey } from '../../../src/accounts/keys/keys.ts';
import { actor, administerDatabase } from '../administration.ts';

const hourMs = 3_600_000;

const database = administerDatabase();
const { inTransaction, add, audited } = database;

describe('changing a key', () => {
  it('changes its name and expiry, and writes an audit entry with before and after', async () => {
    const vera = await add('vera', 'viewer');
    const { key } = await inTransaction((tx) => createKey(tx, actor, vera, { name: 'old' }));

    const changed = await inTransaction((tx) => changeKey(tx, actor, key.id, { name: 'new', expiry: hourMs }));

    expect(changed).toEqual({ ...key, name: 'new', expiresAt: expect.any(Date) });
    const leftMs = (changed.expiresAt?.getTime() ?? 0) - key.createdAt.getTime();
    expect(Math.abs(leftMs - hourMs)).toBeLessThan(60_000);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'update',
      subject: 'ApiKey',
      subject_id: key.id,
      before: { name: 'old', expiresAt: null },
      after: { name: 'new', expiresAt: changed.expiresAt?.toISOString() },
    });
  });

  it('writes no audit entry when nothing changes', async () => {
    const vera = await add('vera', 'viewer');
    const { key } = await inTransaction((tx) => createKey(tx, actor, vera, { name: 'same', expiry: hourMs }));
    const before = await audited();

    expect(await inTransaction((tx) => changeKey(tx, actor, key.id, {}))).toEqual(key);
    expect(await inTransaction((tx) => changeKey(tx, actor, key.id, { name: 'same' }))).toEqual(key);
    expect(await audited()).toEqual(before);
  });

  it.each(['revoked', 'expired'] as const)('can rename a key that is %s, but not revive it', async (state) => {
    const vera = await add('vera', 'viewer');
    const { key } = await inTransaction((tx) => createKey(tx, actor, vera));
    const column = state === 'revoked' ? 'revoked_at' : 'expires_at';
    await database.query(`UPDATE api_keys SET ${column} = now() - interval '1 minute'`);

    expect(await inTransaction((tx) => changeKey(tx, actor, key.id, { name: 'leaked' }))).toMatchObject({
      name: 'leaked',
    });
    await expect(inTransaction((tx) => changeKey(tx, actor, key.id, { expiry: hourMs }))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Key ${key.id} is ${state}: only an active key can expire at another time.`,
    });
  });
});

it('a key is expired from the moment on at which it expires', () => {
  const at = new Date('2026-11-25T09:00:00Z');
  const before = new Date(at.getTime() - 1);
  for (const key of [
    { revokedAt: null, expiresAt: at, signInUntil: null },
    { revokedAt: null, expiresAt: null, signInUntil: at },
  ]) {
    expect([keyState(key, before), keyState(key, at)]).toEqual(['active', 'expired']);
  }
});

describe('rotating a key', () => {
  it('creates a key with the same settings and expires the old one after the overlap', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera, { name: 'dashboard', readOnly: true }));
    const { key, secret, replaced } = await inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs));

    expect(key).toMatchObject({ name: 'dashboard', readOnly: true, userId: vera.id, expiresAt: null });
    expect(secret.startsWith(key.prefix)).toBe(true);
    const overlapMs = (replaced.expiresAt?.getTime() ?? 0) - key.createdAt.getTime();
    expect(Math.abs(overlapMs - hourMs)).toBeLessThan(60_000);
    expect(keyState(replaced, new Date())).toBe('active');
  });

  it('never extends the expiry of the old key, and creates none that ends later', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera, { expiry: hourMs }));
    const { key, replaced } = await inTransaction((tx) => rotateKey(tx, actor, old.id, 24 * hourMs));

    expect(replaced.expiresAt).toEqual(old.expiresAt);
    expect(key.expiresAt).toEqual(old.expiresAt);
  });

  it('is rejected for a key that was replaced, which would make more keys than there were', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera));
    const { key } = await inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs));

    await expect(inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Key ${old.id} was replaced by key ${key.id}: rotate that one.`,
    });
  });

  it.each(['revoked', 'expired'] as const)('is rejected when the key is %s', async (state) => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera));
    const column = state === 'revoked' ? 'revoked_at' : 'expires_at';
    await database.query(`UPDATE api_keys SET ${column} = now() - interval '1 minute'`);

    await expect(inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Key ${old.id} is ${state}: only an active key can be rotated.`,
    });
    expect(await listKeys(database.db)).toHaveLength(1);
  });

  it('leaves the old key revoked when it is revoked concurrently', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera));
    await Promise.allSettled([
      inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs)),
      inTransaction((tx) => revokeKey(tx, actor, old.id)),
    ]);

    const [key] = await listKeys(database.db);
    expect(key && keyState(key, new Date())).toBe('revoked');
  });

  it('does not write the secret to the audit log', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old, secret } = await inTransaction((tx) => createKey(tx, actor, vera));
    const rotated = await inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs));

    const log = JSON.stringify(await audited());
    expect(log).toContain('"rotate"');
    expect(log).toContain(`"replacedBy":${rotated.key.id}`);
    for (const text of [secret, rotated.secret]) expect(log).not.toContain(text.slice(10));
  });
});
