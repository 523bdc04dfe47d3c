import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLastUsed } from '../../src/accounts/keys/last-used.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import { type KeyFields, userIdOf } from '../support/credentials/keys.ts';
import { goodClaims, secret, secretToken } from '../support/credentials/tokens.ts';
import { within } from '../support/running-time.ts';
import { useInstances } from '../support/server.ts';

const [here, there] = useInstances(2, { JWT_SECRET: secret });
const { database } = here;

const status = async (key: string, path = '/ping') => (await there.rest('get', path, key)).status;
/** `docs/contract.md` 3, also while the other instance is polled. */
const soonMs = 1_000;

const mutate = async (field: string) => here.graphql(`mutation { ${field} }`);
const change = async (user: string, changes: string) =>
  mutate(`updateUser(id: ${await userIdOf(database, user)}, input: { ${changes} }) { id }`);
const revokeByHand = (id: number) => database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);

async function cachedKey(fields?: KeyFields): Promise<{ key: string; id: number }> {
  const key = await here.makeKey(fields);
  const [row] = await database.query('SELECT max(id)::int AS id FROM api_keys');
  expect(await status(key)).toBe(200);
  expect(await status(key)).toBe(200);
  return { key, id: Number(row?.['id']) };
}

describe('a change at one instance takes effect at the other within a second:', () => {
  const programs = '/api/academics/programs';
  const viewer = { role: 'viewer' } as const;

  it.each<[string, KeyFields, string, number, (user: string, id: number) => Promise<unknown>]>([
    ['a revoked key', {}, '/ping', 401, (_user, id) => mutate(`revokeApiKey(id: ${id}) { id }`)],
    ['a rotated key', {}, '/ping', 401, (_user, id) => mutate(`rotateApiKey(id: ${id}) { key }`)],
    ['a key revoked by hand in psql', {}, '/ping', 401, (_user, id) => revokeByHand(id)],
    ['a disabled user', viewer, programs, 401, (user) => change(user, 'disabled: true')],
    ['a changed role', viewer, programs, 403, (user) => change(user, 'role: GUEST')],
  ])('%s', async (user, fields, path, after, work) => {
    const { key, id } = await cachedKey({ user, ...fields });
    expect(await status(key, path)).toBe(200);
    await work(user, id);
    await within(soonMs, async () => expect(await status(key, path)).toBe(after));
  });

  it('a renamed user', async () => {
    const { key } = await cachedKey({ user: 'maiden name' });
    const name = async () => (await there.graphql('{ viewer { name } }', {}, key)).body.data.viewer.name;
    expect(await name()).toBe('maiden name');
    await change('maiden name', 'name: "married name"');
    await within(soonMs, async () => expect(await name()).toBe('married name'));
  });

  it('a token of a disabled user who is renamed', async () => {
    await here.makeKey({ user: 'locked out', disabled: true });
    const token = secretToken({ ...goodClaims, sub: 'locked out', exp: Math.round(Date.now() / 1_000) + 600 });
    expect(await status(token, '/api/academics/programs')).toBe(401);
    await change('locked out', 'name: "another"');
    await within(soonMs, async () => expect(await status(token, '/api/academics/programs')).toBe(200));
  });

  it('a shorter lifetime of a key', async () => {
    const { key, id } = await cachedKey({ user: 'shortened' });
    await mutate(`updateApiKey(id: ${id}, input: { expiresIn: "1s" }) { id }`);
    await within(2_500, async () => expect(await status(key)).toBe(401), 5);
  });

  it('a new key that was rejected before', async () => {
    const key = await here.makeKey({ user: 'late' });
    await database.query(
      "UPDATE api_keys SET hash = hash || '\\x00' WHERE user_id = (SELECT id FROM users WHERE name = 'late')",
    );
    expect(await status(key)).toBe(401);
    await database.query(
      "UPDATE api_keys SET hash = substring(hash FOR 32) WHERE user_id = (SELECT id FROM users WHERE name = 'late')",
    );
    await within(soonMs, async () => expect(await status(key)).toBe(200));
  });
});

describe('a cached key', () => {
  it('needs no SQL, and neither does an unknown or a mistyped key', async () => {
    const { key } = await cachedKey({ user: 'warm' });
    await status('no-such-key');
    const statementsOfLookups = async () => {
      there.statements.length = 0;
      expect(await status(key)).toBe(200);
      expect(await status('no-such-key')).toBe(401);
      expect(await status(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBe(401);
      return there.statements;
    };

    // On a busy machine the change poll may be late, which invalidates the cache.
    await within(10_000, async () => expect(await statementsOfLookups()).toEqual([]));
  });

  it('is looked up again while changes cannot be polled', async () => {
    const { key, id } = await cachedKey({ user: 'not polling' });
    // The change log cannot be read, and the following change is not logged.
    const lock = await lockTable(database, 'change_log', 'ACCESS EXCLUSIVE');
    await database.query('ALTER TABLE api_keys DISABLE TRIGGER USER');
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await database.query('ALTER TABLE api_keys ENABLE TRIGGER USER');

    await within(soonMs, async () => expect(await status(key)).toBe(401));
    await lock.release();
  });

  it('has its last use stored, to the minute', async () => {
    const { id } = await cachedKey({ user: 'used' });
    const lastUsed = async () => {
      const [row] = await database.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id]);
      return row?.['last_used_at'];
    };

    await within(10_000, async () => expect(await lastUsed()).toBeInstanceOf(Date));
    expect(new Date(String(await lastUsed())).getSeconds()).toBe(0);

    // Another instance may store an earlier use after it.
    const later = new Date('2999-01-01T00:00:00Z');
    await database.query('UPDATE api_keys SET last_used_at = $2 WHERE id = $1', [id, later]);
    const db = openDatabase({ url: database.url });
    onTestFinished(() => db.$disconnect());
    const uses = createLastUsed(db);
    uses.note(id);
    await uses.close();
    expect(await lastUsed()).toEqual(later);
  });
});
