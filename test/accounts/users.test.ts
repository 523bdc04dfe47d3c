import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/accounts/keys/keys.ts';
import { changeUser, deleteUser, findOrAddUser } from '../../src/accounts/users.ts';
import { actor, administerDatabase } from './administration.ts';

const database = administerDatabase();
const { inTransaction, add, audited } = database;

describe('the last active administrator', () => {
  it.each([{ role: 'viewer' }, { disabled: true }] as const)(
    'cannot be changed to %j when the others are disabled',
    async (to) => {
      const root = await add('root', 'admin');
      await add('other', 'admin');
      await inTransaction((tx) => changeUser(tx, actor, { name: 'other' }, { disabled: true }));
      const before = await audited();

      await expect(inTransaction((tx) => changeUser(tx, actor, { name: 'root' }, to))).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'User root is the last active administrator: give another one the role first.',
      });
      expect(await database.db.user.findUnique({ where: { name: 'root' } })).toEqual(root);
      expect(await audited()).toEqual(before);
    },
  );

  it('remains when two administrators demote themselves concurrently', async () => {
    await add('one', 'admin');
    await add('two', 'admin');

    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((name) => inTransaction((tx) => changeUser(tx, actor, { name }, { role: 'guest' }))),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await database.db.user.count({ where: { role: 'admin', disabled: false } })).toBe(1);
  });

  it('does not block changes of other users when there is no administrator', async () => {
    await add('vera', 'viewer');

    expect(await inTransaction((tx) => changeUser(tx, actor, { name: 'vera' }, { role: 'editor' }))).toMatchObject({
      role: 'editor',
    });
  });
});

describe('changing a user', () => {
  it('keeps their id and keys, and writes an audit entry with before and after', async () => {
    const vera = await add('vera', 'viewer');
    await inTransaction((tx) => createKey(tx, actor, vera));

    const to = { name: 'Vera Rubin', role: 'editor' } as const;
    expect(await inTransaction((tx) => changeUser(tx, actor, { name: 'vera' }, to))).toEqual({ ...vera, ...to });

    expect(await database.db.apiKey.findMany({ select: { userId: true } })).toEqual([{ userId: vera.id }]);
    expect((await audited()).at(-1)).toEqual({
      actor: 'a tester',
      action: 'update',
      subject: 'User',
      subject_id: vera.id,
      before: { name: 'vera', role: 'viewer', disabled: false },
      after: { ...to, disabled: false },
    });
  });

  it('writes no audit entry when nothing changes', async () => {
    await add('vera', 'viewer');
    await inTransaction((tx) => changeUser(tx, actor, { name: 'vera' }, { role: 'viewer', disabled: false }));

    expect(await audited()).toHaveLength(1);
  });

  it('gives a name to one of two users who want it at once', async () => {
    await add('one', 'viewer');
    await add('two', 'viewer');

    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((name) => inTransaction((tx) => changeUser(tx, actor, { name }, { name: 'three' }))),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT', message: 'User three exists already.' },
    });
  });
});

describe('deleting a user', () => {
  it('deletes their revoked and expired keys too, and keeps the name in the audit log', async () => {
    const vera = await add('vera', 'viewer');
    const { key: revoked } = await inTransaction((tx) => createKey(tx, actor, vera));
    await inTransaction((tx) => revokeKey(tx, actor, revoked.id));
    await inTransaction((tx) => createKey(tx, actor, vera, { expiry: 1_000 }));
    await database.query(`UPDATE api_keys SET expires_at = now() - interval '1 minute'`);

    expect(await inTransaction((tx) => deleteUser(tx, actor, { name: 'vera' }))).toEqual(vera);

    expect([await database.db.user.count(), await database.db.apiKey.count()]).toEqual([0, 0]);
    expect((await audited()).at(-1)).toEqual({
      actor: 'a tester',
      action: 'delete',
      subject: 'User',
      subject_id: vera.id,
      before: { name: 'vera', role: 'viewer', disabled: false, keys: [expect.any(String), expect.any(String)] },
      after: null,
    });
  });

  it('is rejected while a key is active, and names the keys to revoke', async () => {
    const vera = await add('vera', 'viewer');
    const { key } = await inTransaction((tx) => createKey(tx, actor, vera));
    await inTransaction((tx) => revokeKey(tx, actor, key.id));
    const { key: other } = await inTransaction((tx) => createKey(tx, actor, vera));

    await expect(inTransaction((tx) => deleteUser(tx, actor, { name: 'vera' }))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `User vera has active keys, which must be revoked first: ${other.id}.`,
    });
    expect([await database.db.user.count(), await database.db.apiKey.count()]).toEqual([1, 2]);
  });

  it('is rejected for the last active administrator', async () => {
    await add('root', 'admin');

    await expect(inTransaction((tx) => deleteUser(tx, actor, { name: 'root' }))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await add('other', 'admin');
    expect(await inTransaction((tx) => deleteUser(tx, actor, { name: 'root' }))).toMatchObject({ name: 'root' });
  });

  it('happens before or after a key is created for them, never between', async () => {
    await add('vera', 'viewer');

    const [deleted, created] = await Promise.allSettled([
      inTransaction((tx) => deleteUser(tx, actor, { name: 'vera' })),
      inTransaction(async (tx) => createKey(tx, actor, await findOrAddUser(tx, actor, 'vera', undefined))),
    ]);

    expect([deleted.status, created.status].sort()).toEqual(['fulfilled', 'rejected']);
    const [rejected] = [deleted, created].filter(({ status }) => status === 'rejected');
    expect(rejected).toMatchObject({ reason: { code: expect.stringMatching(/^(?:CONFLICT|NOT_FOUND)$/) } });
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
