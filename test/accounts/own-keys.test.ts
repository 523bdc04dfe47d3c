import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { type TestServer, useServer } from '../support/server.ts';

const listed = async (server: TestServer, key: string) =>
  (await server.graphql('{ apiKeys { id name kind readOnly user { name } } }', {}, key)).body.data.apiKeys;

const created = (server: TestServer, key: string, input: string) =>
  server.graphql(
    `mutation { createApiKey(input: { ${input} }) { key apiKey { id readOnly user { name } } } }`,
    {},
    key,
  );

describe("one's own keys", () => {
  const server = useServer();

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

describe('a session', () => {
  const server = useServer();

  it('is prolonged by its use, up to its end', async () => {
    const key = await server.makeKey({ user: 'sid', role: 'viewer' });
    await server.database.query(
      `UPDATE api_keys SET kind = 'session', expires_at = now() + interval '1 hour', ends_at = now() + interval '8 hours'`,
    );
    await server.graphql('{ viewer { name } }', {}, key).expect(200);
    const left = async () =>
      (
        await server.database.query(
          'SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS h FROM api_keys WHERE user_id = (SELECT id FROM users WHERE name = $1)',
          ['sid'],
        )
      )[0]?.['h'];
    await expect.poll(left, { timeout: 15_000 }).toBe(8);
  });
});
