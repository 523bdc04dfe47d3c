import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addUser,
  changeUser,
  createKey,
  findOrAddUser,
  listKeys,
  revokeKey,
  rotateKey,
  stateOf,
} from '../../src/auth/accounts.ts';
import type { Role } from '../../src/auth/permissions.ts';
import type { Actor } from '../../src/database/audit.ts';
import { openDatabase } from '../../src/database/connection/prisma.ts';
import type { Database, Transaction } from '../../src/database/connection/types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const actor: Actor = { name: 'a tester', keyId: null, requestId: null };
const hourMs = 3_600_000;

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url });
});
afterEach(async () => {
  await db.$disconnect();
  await database.close();
});

const inTransaction = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => db.$transaction(work);
const add = (name: string, role: Role) => inTransaction((tx) => addUser(tx, actor, name, role));
const audited = () =>
  database.query('SELECT actor, action, subject, subject_id, before, after FROM audit_entries ORDER BY id');

describe('the last active administrator', () => {
  it.each([{ role: 'viewer' }, { disabled: true }] as const)('cannot be changed to %j', async (to) => {
    await add('root', 'admin');

    await expect(inTransaction((tx) => changeUser(tx, actor, 'root', to))).rejects.toMatchObject({ code: 'CONFLICT' });

    expect(await db.user.findUnique({ where: { name: 'root' } })).toMatchObject({ role: 'admin', disabled: false });
    expect(await audited()).toHaveLength(1);
  });

  it('can be disabled when another administrator is active', async () => {
    await add('root', 'admin');
    await add('other', 'admin');

    expect(await inTransaction((tx) => changeUser(tx, actor, 'root', { disabled: true }))).toMatchObject({
      disabled: true,
    });
  });

  it('cannot be demoted when the other administrators are disabled', async () => {
    await add('root', 'admin');
    await add('other', 'admin');
    await inTransaction((tx) => changeUser(tx, actor, 'other', { disabled: true }));

    await expect(inTransaction((tx) => changeUser(tx, actor, 'root', { role: 'editor' }))).rejects.toThrow(
      'User root is the last active administrator: give another one the role first.',
    );
  });

  it('remains when two administrators demote themselves concurrently', async () => {
    await add('one', 'admin');
    await add('two', 'admin');

    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((name) => inTransaction((tx) => changeUser(tx, actor, name, { role: 'guest' }))),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await db.user.count({ where: { role: 'admin', disabled: false } })).toBe(1);
  });

  it('does not block changes of other users when there is no administrator', async () => {
    await add('vera', 'viewer');

    expect(await inTransaction((tx) => changeUser(tx, actor, 'vera', { role: 'editor' }))).toMatchObject({
      role: 'editor',
    });
  });
});

describe('changing a user', () => {
  it('writes an audit entry with before and after', async () => {
    const { id } = await add('vera', 'viewer');
    await inTransaction((tx) => changeUser(tx, actor, 'vera', { role: 'editor' }));

    expect((await audited()).at(-1)).toEqual({
      actor: 'a tester',
      action: 'update',
      subject: 'User',
      subject_id: id,
      before: { name: 'vera', role: 'viewer', disabled: false },
      after: { name: 'vera', role: 'editor', disabled: false },
    });
  });

  it('writes no audit entry when nothing changes', async () => {
    await add('vera', 'viewer');
    await inTransaction((tx) => changeUser(tx, actor, 'vera', { role: 'viewer', disabled: false }));

    expect(await audited()).toHaveLength(1);
  });
});

describe('findOrAddUser', () => {
  it('adds a user once for three concurrent calls', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c'].map(() => inTransaction((tx) => findOrAddUser(tx, actor, 'vera', 'viewer'))),
    );

    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(await audited()).toHaveLength(1);
  });

  it('rejects an unknown user when no role is given', async () => {
    await expect(inTransaction((tx) => findOrAddUser(tx, actor, 'vera', undefined))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'User vera does not exist: give a role to add them.',
    });
  });

  it('rejects a user with another role than the given one', async () => {
    await add('vera', 'viewer');

    await expect(inTransaction((tx) => findOrAddUser(tx, actor, 'vera', 'admin'))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'User vera has the role viewer, not admin.',
    });
  });
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
    expect(stateOf(replaced, new Date())).toBe('active');
  });

  it('never extends the expiry of the old key', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera, { lifetimeMs: hourMs }));
    const { key, replaced } = await inTransaction((tx) => rotateKey(tx, actor, old.id, 24 * hourMs));

    expect(replaced.expiresAt).toEqual(old.expiresAt);
    expect(key.expiresAt?.getTime()).toBe(key.createdAt.getTime() + hourMs);
  });

  it('revokes the old key when there is no overlap', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera));
    const { replaced } = await inTransaction((tx) => rotateKey(tx, actor, old.id, 0));

    expect(stateOf(replaced, new Date())).toBe('revoked');
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
    expect(await listKeys(db)).toHaveLength(1);
  });

  it('leaves the old key revoked when it is revoked concurrently', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await inTransaction((tx) => createKey(tx, actor, vera));
    await Promise.allSettled([
      inTransaction((tx) => rotateKey(tx, actor, old.id, hourMs)),
      inTransaction((tx) => revokeKey(tx, actor, old.id)),
    ]);

    const [key] = await listKeys(db);
    expect(key && stateOf(key, new Date())).toBe('revoked');
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
