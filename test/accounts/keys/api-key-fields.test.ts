import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import type { makeKey } from '../../support/credentials/keys.ts';
import { type TestServer, useServer, useSharedServer } from '../../support/server.ts';

const server = useSharedServer();

const dayMs = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

/** The names of the keys that match a filter. */
async function namesOf(filter: object): Promise<string[]> {
  const { body } = await server.graphql('query ($filter: ApiKeyFilter) { apiKeys(filter: $filter) { name } }', {
    filter,
  });
  return body.data.apiKeys.map(({ name }: { name: string }) => name);
}

/** Inserts a named key of the user `filtered`. */
async function named(name: string, fields: Parameters<typeof makeKey>[1], lastUsed?: Date): Promise<void> {
  await server.makeKey({ user: 'filtered', ...fields });
  await server.database.query(
    `UPDATE api_keys SET name = $1, created_at = now() - interval '100 days', last_used_at = $2
     WHERE id = (SELECT max(id) FROM api_keys)`,
    [name, lastUsed ?? null],
  );
}

describe('the list of keys', () => {
  beforeAll(async () => {
    await named('for ever', {}, inDays(-1));
    await named('ends soon', { expiresAt: inDays(7) }, inDays(-40));
    await named('ends late', { expiresAt: inDays(70) });
    await named('expired', { expiresAt: inDays(-2) }, inDays(-3));
    await named('revoked', { revokedAt: inDays(-2), expiresAt: inDays(7) }, inDays(-60));
    await named('revoked and expired', { revokedAt: inDays(-3), expiresAt: inDays(-2) }, inDays(-5));
    await server.makeKey({ user: 'other' });
  });
  const user = 'filtered';

  it.each([
    [{}, ['for ever', 'ends soon', 'ends late', 'expired', 'revoked', 'revoked and expired']],
    [{ state: 'ACTIVE' }, ['for ever', 'ends soon', 'ends late']],
    [{ state: 'EXPIRED' }, ['expired']],
    [{ state: 'REVOKED' }, ['revoked', 'revoked and expired']],
    [{ expiresBefore: inDays(30).toISOString() }, ['ends soon', 'expired', 'revoked', 'revoked and expired']],
    [{ expiresBefore: inDays(30).toISOString(), state: 'ACTIVE' }, ['ends soon']],
    [{ unusedSince: inDays(-30).toISOString() }, ['ends soon', 'ends late', 'revoked']],
    [{ unusedSince: inDays(-30).toISOString(), state: 'ACTIVE' }, ['ends soon', 'ends late']],
    [{ unusedSince: inDays(-200).toISOString() }, []],
  ])('is filtered by %j', async (filter, expected) => {
    expect(await namesOf({ user, ...filter })).toEqual(expected);
  });

  it('is filtered by the id of the user', async () => {
    const [row] = await server.database.query(`SELECT id FROM users WHERE name = 'filtered'`);
    expect(await namesOf({ userId: row?.['id'] })).toHaveLength(6);
    expect(await namesOf({ userId: 2_147_483_647 })).toEqual([]);
  });

  it('rejects the name of nobody', async () => {
    const { body } = await server.graphql('{ apiKeys(filter: { user: "nobody" }) { id } }');
    expect(body.errors[0]).toMatchObject({
      message: 'User nobody does not exist.',
      extensions: { code: 'NOT_FOUND' },
    });
  });
});

describe('updateApiKey', () => {
  const update = `mutation ($id: Int!, $input: UpdateApiKeyInput!) {
    updateApiKey(id: $id, input: $input) { id name state expiresAt user { name } }
  }`;
  const newId = async (): Promise<number> => {
    await server.makeKey({ user: 'ada' });
    const [row] = await server.database.query('SELECT max(id) AS id FROM api_keys');
    return Number(row?.['id']);
  };

  it('changes the name and the expiry of a key, each alone', async () => {
    const id = await newId();
    const unchanged = { id, state: 'ACTIVE', user: { name: 'ada' } };
    const updated = async (input: object) => (await server.graphql(update, { id, input })).body.data.updateApiKey;

    expect(await updated({ name: ' laptop ' })).toEqual({ ...unchanged, name: 'laptop', expiresAt: null });
    const { expiresAt } = await updated({ expiresIn: '30d' });
    expect(Math.abs(Date.parse(expiresAt) - inDays(30).getTime())).toBeLessThan(60_000);
    expect(await updated({ name: null })).toEqual({ ...unchanged, name: 'laptop', expiresAt });
    expect(await updated({ expiresIn: 'never' })).toEqual({ ...unchanged, name: 'laptop', expiresAt: null });
    const at = inDays(60).toISOString();
    expect(await updated({ expiresAt: at })).toEqual({ ...unchanged, name: 'laptop', expiresAt: at });
    expect(await updated({})).toEqual({ ...unchanged, name: 'laptop', expiresAt: at });
    expect(await updated({ expiresAt: null })).toEqual({ ...unchanged, name: 'laptop', expiresAt: null });
  });

  it.each([
    [{ expiresAt: inDays(-1).toISOString() }, { expiresAt: ['expiresAt must be in the future.'] }],
    [{ expiresAt: inDays(36_526).toISOString() }, { expiresAt: ['expiresAt must be within 36525 days.'] }],
    [
      { expiresAt: inDays(1).toISOString(), expiresIn: '1d' },
      { expiresIn: ['expiresIn cannot be given with expiresAt.'] },
    ],
    [{ expiresAt: null, expiresIn: '1d' }, { expiresIn: ['expiresIn cannot be given with expiresAt.'] }],
  ])('rejects %j', async (input, errors) => {
    const { body } = await server.graphql(update, { id: await newId(), input });
    expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors });
  });
});

const listed = async (on: TestServer, key: string) =>
  (await on.graphql('{ apiKeys { id name kind readOnly user { name } } }', {}, key)).body.data.apiKeys;

const created = (on: TestServer, key: string, input: string) =>
  on.graphql(`mutation { createApiKey(input: { ${input} }) { key apiKey { id readOnly user { name } } } }`, {}, key);

describe("one's own keys", () => {
  it('are listed, renamed, rotated and revoked by everybody', async () => {
    const key = await server.makeKey({ user: 'erin', role: 'editor' });
    const [{ id }] = await listed(server, key);
    expect(await listed(server, key)).toEqual([{ id, name: '', kind: 'KEY', readOnly: false, user: { name: 'erin' } }]);
    const mutation = (text: string, by: string) => server.graphql(`mutation { ${text} }`, {}, by);
    const renamed = await mutation(`updateApiKey(id: ${id}, input: { name: "laptop" }) { name }`, key);
    expect(renamed.body.data.updateApiKey).toEqual({ name: 'laptop' });
    const rotated = await mutation(`rotateApiKey(id: ${id}) { key apiKey { id name } }`, key);
    const { key: next, apiKey } = rotated.body.data.rotateApiKey;
    expect(apiKey.name).toBe('laptop');
    const revoked = await mutation(`revokeApiKey(id: ${apiKey.id}) { state }`, next);
    expect(revoked.body.data.revokeApiKey).toEqual({ state: 'REVOKED' });
    await server.graphql('{ ping }', {}, next).expect(401);
  });

  it('are created up to the permissions of their user, for nobody else', async () => {
    const key = await server.makeKey({ user: 'ed', role: 'editor' });
    const { body } = await created(server, key, 'name: "script"');
    expect(body.data.createApiKey.apiKey).toMatchObject({ readOnly: false, user: { name: 'ed' } });
    const forOther = await created(server, key, 'userId: 1');
    expect(forOther.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const readOnly = await server.makeKey({ user: 'ed', role: 'editor', readOnly: true });
    expect((await created(server, readOnly, '')).body.errors[0].message).toBe('This API key is read-only.');
  });

  it.each([
    ['viewer', '', true],
    ['guest', '', true],
    ['guest', 'readOnly: false', false],
    ['editor', '', false],
    ['editor', 'readOnly: true', true],
  ] as const)('of a %s with {%s} is read-only: %s', async (role, input, readOnly) => {
    const { body } = await created(server, await server.makeKey({ role }), input);
    expect(body.data.createApiKey.apiKey.readOnly).toBe(readOnly);
  });

  it('are not those of others, which only administrators see', async () => {
    const key = await server.makeKey({ user: 'gus', role: 'guest' });
    await server.makeKey({ user: 'hana', role: 'guest' });
    expect((await listed(server, key)).map(({ user }: { user: object }) => user)).toEqual([{ name: 'gus' }]);
  });
});

describe('with OWN_KEYS=false', () => {
  const server = useServer({ OWN_KEYS: 'false' });

  it('GET /session says so, for the console', async () => {
    expect((await supertest(server.url).get('/session').expect(200)).body).toMatchObject({ ownKeys: false });
  });

  it('only administrators create keys, and give them another expiry', async () => {
    const key = await server.makeKey({
      user: 'ed',
      role: 'editor',
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect((await created(server, key, '')).body.errors[0].extensions.code).toBe('FORBIDDEN');
    const [{ id }] = await listed(server, key);
    const change = (fields: string) =>
      server.graphql(`mutation { updateApiKey(id: ${id}, input: { ${fields} }) { name } }`, {}, key);
    expect((await change('expiresIn: "never"')).body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await change('name: "laptop"')).body.data.updateApiKey).toEqual({ name: 'laptop' });
    const admin = await server.makeKey({ role: 'admin' });
    expect((await created(server, admin, '')).body.data.createApiKey.apiKey.user).toEqual({ name: 'a admin' });
  });
});
