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

const change = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => db.$transaction(work);
const add = (name: string, role: Role) => change((tx) => addUser(tx, actor, name, role));
const audited = () =>
  database.query('SELECT actor, action, subject, subject_id, before, after FROM audit_entries ORDER BY id');

describe('the last active administrator', () => {
  it.each([{ role: 'viewer' }, { disabled: true }] as const)('cannot be changed to %j', async (to) => {
    await add('root', 'admin');

    await expect(change((tx) => changeUser(tx, actor, 'root', to))).rejects.toMatchObject({ code: 'CONFLICT' });

    expect(await db.user.findUnique({ where: { name: 'root' } })).toMatchObject({ role: 'admin', disabled: false });
    expect(await audited()).toHaveLength(1);
  });

  it('can be changed when another is active', async () => {
    await add('root', 'admin');
    await add('other', 'admin');

    expect(await change((tx) => changeUser(tx, actor, 'root', { disabled: true }))).toMatchObject({ disabled: true });
  });

  it('cannot be changed when the others are disabled', async () => {
    await add('root', 'admin');
    await add('other', 'admin');
    await change((tx) => changeUser(tx, actor, 'other', { disabled: true }));

    await expect(change((tx) => changeUser(tx, actor, 'root', { role: 'editor' }))).rejects.toThrow(
      'User root is the last active administrator: give another one the role first.',
    );
  });

  it('stays when two administrators demote each other at once', async () => {
    await add('one', 'admin');
    await add('two', 'admin');

    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((name) => change((tx) => changeUser(tx, actor, name, { role: 'guest' }))),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await db.user.count({ where: { role: 'admin', disabled: false } })).toBe(1);
  });

  it('is nobody where there is no administrator: others can be changed', async () => {
    await add('vera', 'viewer');

    expect(await change((tx) => changeUser(tx, actor, 'vera', { role: 'editor' }))).toMatchObject({ role: 'editor' });
  });
});

describe('a change of a user', () => {
  it('is audited with before and after', async () => {
    const { id } = await add('vera', 'viewer');
    await change((tx) => changeUser(tx, actor, 'vera', { role: 'editor' }));

    expect((await audited()).at(-1)).toEqual({
      actor: 'a tester',
      action: 'update',
      subject: 'User',
      subject_id: id,
      before: { name: 'vera', role: 'viewer', disabled: false },
      after: { name: 'vera', role: 'editor', disabled: false },
    });
  });

  it('to what is so already is not audited', async () => {
    await add('vera', 'viewer');
    await change((tx) => changeUser(tx, actor, 'vera', { role: 'viewer', disabled: false }));

    expect(await audited()).toHaveLength(1);
  });
});

describe('the user that a key is for', () => {
  it('is added once when two ask at the same time', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c'].map(() => change((tx) => findOrAddUser(tx, actor, 'vera', 'viewer'))),
    );

    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(await audited()).toHaveLength(1);
  });

  it('must be there when no role is given', async () => {
    await expect(change((tx) => findOrAddUser(tx, actor, 'vera', undefined))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'User vera does not exist: give a role to add them.',
    });
  });

  it('must have the role that is given', async () => {
    await add('vera', 'viewer');

    await expect(change((tx) => findOrAddUser(tx, actor, 'vera', 'admin'))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'User vera has the role viewer, not admin.',
    });
  });
});

describe('rotating a key', () => {
  it('makes one like it, and lets the old one work for the overlap', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await change((tx) => createKey(tx, actor, vera, { name: 'dashboard', readOnly: true }));
    const { key, secret, replaced } = await change((tx) => rotateKey(tx, actor, old.id, hourMs));

    expect(key).toMatchObject({ name: 'dashboard', readOnly: true, userId: vera.id, expiresAt: null });
    expect(secret.startsWith(key.prefix)).toBe(true);
    const overlapMs = (replaced.expiresAt?.getTime() ?? 0) - key.createdAt.getTime();
    expect(Math.abs(overlapMs - hourMs)).toBeLessThan(60_000);
    expect(stateOf(replaced, new Date())).toBe('active');
  });

  it('never lets the old one work past its own expiry', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await change((tx) => createKey(tx, actor, vera, { lifetimeMs: hourMs }));
    const { key, replaced } = await change((tx) => rotateKey(tx, actor, old.id, 24 * hourMs));

    expect(replaced.expiresAt).toEqual(old.expiresAt);
    expect(key.expiresAt?.getTime()).toBe(key.createdAt.getTime() + hourMs);
  });

  it('without an overlap revokes the old one', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await change((tx) => createKey(tx, actor, vera));
    const { replaced } = await change((tx) => rotateKey(tx, actor, old.id, 0));

    expect(stateOf(replaced, new Date())).toBe('revoked');
  });

  it.each(['revoked', 'expired'] as const)('is refused when it is %s', async (state) => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await change((tx) => createKey(tx, actor, vera));
    const column = state === 'revoked' ? 'revoked_at' : 'expires_at';
    await database.query(`UPDATE api_keys SET ${column} = now() - interval '1 minute'`);

    await expect(change((tx) => rotateKey(tx, actor, old.id, hourMs))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Key ${old.id} is ${state}: only an active key can be rotated.`,
    });
    expect(await listKeys(db)).toHaveLength(1);
  });

  it('and revoking it at once leaves no way in for the old key', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old } = await change((tx) => createKey(tx, actor, vera));
    await Promise.allSettled([
      change((tx) => rotateKey(tx, actor, old.id, hourMs)),
      change((tx) => revokeKey(tx, actor, old.id)),
    ]);

    const [key] = await listKeys(db);
    expect(key && stateOf(key, new Date())).toBe('revoked');
  });

  it('writes nothing of the secret into the audit log', async () => {
    const vera = await add('vera', 'viewer');
    const { key: old, secret } = await change((tx) => createKey(tx, actor, vera));
    const rotated = await change((tx) => rotateKey(tx, actor, old.id, hourMs));

    const log = JSON.stringify(await audited());
    expect(log).toContain('"rotate"');
    expect(log).toContain(`"replacedBy":${rotated.key.id}`);
    for (const text of [secret, rotated.secret]) expect(log).not.toContain(text.slice(10));
  });
});
