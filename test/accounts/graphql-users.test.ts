import { beforeAll, describe, expect, it } from 'vitest';
import { userIdOf } from '../support/credentials/keys.ts';
import { goodClaims, secret, secretToken } from '../support/credentials/tokens.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ JWT_SECRET: secret });

const update = 'mutation ($id: Int!, $name: String!) { updateUser(id: $id, input: { name: $name }) { id name } }';
const rename = async (from: string, name: string) =>
  server.graphql(update, { id: await userIdOf(server.database, from), name });
const deleteUser = 'mutation ($id: Int!) { deleteUser(id: $id) { name keys { id state user { name } } } }';
const remove = async (name: string) => server.graphql(deleteUser, { id: await userIdOf(server.database, name) });

describe('a user', () => {
  it('can be created, given another role, disabled and enabled', async () => {
    const add = await server.graphql(
      'mutation { createUser(input: { name: "barbara", role: GUEST }) { name role disabled } }',
    );
    const key = await server.makeKey({ user: 'barbara', role: 'guest' });
    const programs = async () => (await server.rest('get', '/api/academics/programs', key)).status;
    const id = await userIdOf(server.database, 'barbara');
    const change = async (what: string) =>
      (await server.graphql(`mutation { updateUser(id: ${id}, input: { ${what} }) { role disabled } }`)).body.data
        .updateUser;

    expect(add.body.data.createUser).toEqual({ name: 'barbara', role: 'GUEST', disabled: false });
    expect(await programs()).toBe(403);
    expect(await change('role: VIEWER')).toEqual({ role: 'VIEWER', disabled: false });
    expect(await programs()).toBe(200);
    expect(await change('disabled: true')).toEqual({ role: 'VIEWER', disabled: true });
    expect(await programs()).toBe(401);
    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    expect(await change('disabled: false')).toEqual({ role: 'VIEWER', disabled: false });
    expect(await programs()).toBe(200);
  });
});

describe('a renamed user', () => {
  it('is the actor of the next change under the new name, of earlier ones under the old', async () => {
    const key = await server.makeKey({ user: 'Augusta Byron', role: 'editor' });
    const create = `mutation { createProgram(input: { name: "Analysis", duration: "1" }) { id } }`;
    await server.graphql(create, {}, key);

    await rename('Augusta Byron', ' Ada Lovelace ');
    await server.graphql(create, {}, key);

    const { body } = await server.graphql('{ auditLog(first: 3) { nodes { actor subject action } } }');
    expect(body.data.auditLog.nodes).toEqual([
      { actor: 'Ada Lovelace', subject: 'PROGRAM', action: 'CREATE' },
      { actor: 'admin', subject: 'USER', action: 'UPDATE' },
      { actor: 'Augusta Byron', subject: 'PROGRAM', action: 'CREATE' },
    ]);
    const viewer = await server.graphql('{ viewer { name } }', {}, key);
    expect(viewer.body.data.viewer).toEqual({ name: 'Ada Lovelace' });
  });

  it('cannot have the name of another, of the service itself, or none', async () => {
    await server.makeKey({ user: 'grace' });
    const taken = await rename('grace', 'admin');
    expect(taken.body.errors[0]).toMatchObject({
      message: 'User admin exists already.',
      extensions: { code: 'CONFLICT' },
    });
    const reserved = await rename('grace', 'cli');
    expect(reserved.body.errors[0]).toMatchObject({
      message: 'The name cli is reserved: the audit log uses it for the service itself.',
      extensions: { code: 'CONFLICT' },
    });
    const blank = await rename('grace', ' ');
    expect(blank.body.errors[0].extensions.errors).toEqual({ name: ['name must not be blank.'] });
  });
});

describe('a deleted user', () => {
  it('is gone with all keys, and returned as before', async () => {
    const key = await server.makeKey({ user: 'charles', revokedAt: new Date() });

    expect((await remove('charles')).body.data.deleteUser).toEqual({
      name: 'charles',
      keys: [{ id: expect.any(Number), state: 'REVOKED', user: { name: 'charles' } }],
    });
    expect((await server.rest('get', '/ping', key)).status).toBe(401);
    expect((await server.graphql('{ users { name } }')).body.data.users).not.toContainEqual({ name: 'charles' });
  });

  it('leaves programs and history as they are', async () => {
    const key = await server.makeKey({ user: 'short-lived', role: 'editor' });
    const created = await server
      .rest('post', '/api/academics/programs', key)
      .send({ name: 'Lasting', duration: '4 Years' });
    await server.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_keys)');
    await remove('short-lived');

    const query = 'query ($id: Int!) { program(id: $id) { name history { nodes { actor } } } }';
    expect((await server.graphql(query, { id: created.body.id })).body.data.program).toEqual({
      name: 'Lasting',
      history: { nodes: [{ actor: 'short-lived' }] },
    });
  });
});

describe('users and their keys', () => {
  /** The tables that a request reads, one for each statement, but for its authentication. */
  async function tablesRead(query: string): Promise<string[]> {
    server.statements.length = 0;
    const { body } = await server.graphql(query);
    expect(body).not.toHaveProperty('errors');
    const isAuthentication = (sql: string) => sql.includes('api_keys.hash = ANY');
    return server.statements
      .filter((sql) => !isAuthentication(sql))
      .map((sql) => /FROM "public"\."(\w+)"/.exec(sql)?.[1] ?? sql);
  }

  beforeAll(async () => {
    for (const user of ['a', 'b', 'c']) for (const _ of [1, 2, 3]) await server.makeKey({ user });
  });

  it('need one statement for each level, however many users and keys there are', async () => {
    expect(await tablesRead('{ users { id name keys { id prefix name readOnly } } }')).toEqual(['users', 'api_keys']);
    expect(await tablesRead('{ apiKeys { id user { name role } } }')).toEqual(['api_keys', 'users']);
    expect(await tablesRead('{ users { a: keys { id } b: keys { name user { name } } } }')).toEqual([
      'users',
      'api_keys',
      'users',
    ]);
  });

  it('need a few statements for users of keys of users, not one for each user', async () => {
    for (let index = 0; index < 30; index += 1) await server.makeKey({ user: `user ${index}` });
    expect((await tablesRead('{ users { keys { user { keys { id } } } } }')).length).toBeLessThan(15);
    expect((await tablesRead('{ apiKeys { user { keys { user { keys { id } } } } } }')).length).toBeLessThan(25);
  });
});

const viewerOf = async (credential: string) =>
  (
    await server.graphql(
      '{ viewer { name role permissions readOnly key { id prefix name expiresAt } } }',
      {},
      credential,
    )
  ).body;

describe('viewer', () => {
  it('returns an administrator with all permissions, and the key', async () => {
    expect(await viewerOf(adminKey)).toEqual({
      data: {
        viewer: {
          name: 'admin',
          role: 'ADMIN',
          permissions: ['PROGRAMS_READ', 'PROGRAMS_WRITE', 'ADMIN'],
          readOnly: false,
          key: { id: expect.any(Number), prefix: expect.any(String), name: expect.any(String), expiresAt: null },
        },
      },
    });
  });

  it('returns the user of an expiring read-only key, without permissions', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const key = await server.makeKey({ user: 'ada', role: 'guest', readOnly: true, expiresAt });
    const { viewer } = (await viewerOf(key)).data;
    expect(viewer).toMatchObject({ name: 'ada', role: 'GUEST', permissions: [], readOnly: true });
    expect(viewer.key).toMatchObject({ prefix: key.slice(0, viewer.key.prefix.length) });
    expect(Date.parse(viewer.key.expiresAt)).toBe(expiresAt.getTime());
  });

  it('returns the subject of a token, with its highest role and no key', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    expect((await viewerOf(secretToken({ ...goodClaims, roles: ['viewer', 'editor'], exp }))).data.viewer).toEqual({
      name: 'ada',
      role: 'EDITOR',
      permissions: ['PROGRAMS_READ', 'PROGRAMS_WRITE'],
      readOnly: false,
      key: null,
    });
  });

  it('returns no role for a disabled user', async () => {
    const key = await server.makeKey({ user: 'gone', role: 'admin', disabled: true });
    expect((await viewerOf(key)).data.viewer).toMatchObject({ name: 'gone', role: null, permissions: [] });
  });
});
