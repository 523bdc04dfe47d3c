import { describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { within } from '../support/running-time.ts';
import { startTestServer, useServer } from '../support/server.ts';

const server = useServer();

const createKey = `mutation ($user: String!, $role: Role, $name: String, $expiresIn: String, $readOnly: Boolean) {
  createApiKey(user: $user, role: $role, name: $name, expiresIn: $expiresIn, readOnly: $readOnly) {
    key
    apiKey { id prefix name readOnly state expiresAt lastUsedAt user { name role disabled } }
  }
}`;

async function createdKey(variables: object): Promise<{ key: string; apiKey: { id: number; prefix: string } }> {
  const response = await server.graphql(createKey, variables);
  return response.body.data.createApiKey;
}

describe('an API key', () => {
  it('is created with its user, role, name and expiry, and shown once', async () => {
    const { key, apiKey } = await createdKey({ user: 'ada', role: 'EDITOR', name: 'laptop', expiresIn: '90d' });

    expect(key).toMatch(/^uas_[0-9A-Za-z]{38}$/);
    expect(apiKey).toEqual({
      id: expect.any(Number),
      prefix: key.slice(0, 10),
      name: 'laptop',
      readOnly: false,
      state: 'ACTIVE',
      expiresAt: expect.any(String),
      lastUsedAt: null,
      user: { name: 'ada', role: 'EDITOR', disabled: false },
    });
    expect((await server.rest('get', '/api/academics/programs', key)).status).toBe(200);
    const everything = await server.graphql(
      '{ users { keys { id prefix name state } } apiKeys { prefix } auditLog { nodes { before after } } }',
    );
    expect(everything.text).not.toContain(key);
    expect(server.logged.join('\n')).not.toContain(key);
    expect(JSON.stringify(await server.database.query('SELECT * FROM api_keys, audit_entries'))).not.toContain(key);
  });

  it.each(['\0', '', 'ada\nlovelace', '\ud800'])('cannot be listed by the invalid user name %j', async (user) => {
    const { body } = await server.graphql('query ($user: String) { apiKeys(filter: { user: $user }) { id } }', {
      user,
    });
    expect(body).toMatchObject({
      data: null,
      errors: [
        {
          extensions: {
            code: 'VALIDATION_FAILED',
            errors: { filter: expect.arrayContaining([expect.stringMatching(/^user /)]) },
          },
        },
      ],
    });
  });

  it('is not created for an existing user with another role', async () => {
    await createdKey({ user: 'grace', role: 'VIEWER' });
    const before = await server.database.query('SELECT count(*)::int FROM api_keys');

    const response = await server.graphql(createKey, { user: 'grace', role: 'ADMIN' });

    expect(response.body.errors[0]).toMatchObject({
      message: 'User grace has the role viewer, not admin.',
      extensions: { code: 'CONFLICT' },
    });
    expect(await server.database.query('SELECT count(*)::int FROM api_keys')).toEqual(before);
  });

  it('cannot write when it is read-only, even if its user is an administrator', async () => {
    const { key } = await createdKey({ user: 'reader', role: 'ADMIN', readOnly: true });

    const created = await server.rest('post', '/api/academics/programs', key).send({ name: 'A', duration: 'B' });
    const revoked = await server.graphql('mutation { revokeApiKey(id: 1) { id } }', {}, key);
    const read = await server.graphql('{ users { name } }', {}, key);

    expect([created.status, created.body]).toEqual([403, { message: 'This API key is read-only.' }]);
    expect(revoked.body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(read.body.errors).toBeUndefined();
  });

  it('stops working when revoked; revoking it again returns the same result', async () => {
    const { key, apiKey } = await createdKey({ user: 'linus', role: 'VIEWER' });
    const revoke = 'mutation ($id: Int!) { revokeApiKey(id: $id) { id state } }';

    const first = await server.graphql(revoke, { id: apiKey.id });
    const again = await server.graphql(revoke, { id: apiKey.id });

    expect(first.body.data.revokeApiKey).toEqual({ id: apiKey.id, state: 'REVOKED' });
    expect(again.body.data.revokeApiKey).toEqual({ id: apiKey.id, state: 'REVOKED' });
    expect((await server.rest('get', '/ping', key)).body).toEqual({ message: 'API key is invalid.' });
  });

  it('works during the overlap after a rotation, and stops at once without an overlap', async () => {
    const { key, apiKey } = await createdKey({ user: 'edsger', role: 'VIEWER' });
    const rotate =
      'mutation ($id: Int!, $overlap: String) { rotateApiKey(id: $id, overlap: $overlap) { key apiKey { id } } }';

    const second = (await server.graphql(rotate, { id: apiKey.id, overlap: '24h' })).body.data.rotateApiKey;
    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    expect((await server.rest('get', '/ping', second.key)).status).toBe(200);

    const third = (await server.graphql(rotate, { id: second.apiKey.id })).body.data.rotateApiKey;
    expect((await server.rest('get', '/ping', second.key)).status).toBe(401);
    expect((await server.rest('get', '/ping', third.key)).status).toBe(200);
  });

  it('rejects a negative identifier', async () => {
    for (const mutation of ['revokeApiKey(id: -1) { id }', 'rotateApiKey(id: -1) { key }']) {
      const { body } = await server.graphql(`mutation { ${mutation} }`);
      expect(body.errors[0].extensions, mutation).toEqual({
        code: 'VALIDATION_FAILED',
        errors: { id: ['id must not be negative.'] },
      });
    }
  });

  it('stops working when it expires', async () => {
    const key = await makeKey(server.database, { role: 'viewer', expiresAt: new Date(Date.now() + 400) });

    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    await within(5_000, async () => expect(await (await server.rest('get', '/ping', key)).status).toBe(401));
  });

  it.each(['90', '-1d', '1w', '', 'd', '1.2345h', '0s', '0.5s', '0.000d', '36526d', `${'9'.repeat(12)}d`])(
    'cannot be created with the duration "%s"',
    async (expiresIn) => {
      const response = await server.graphql(createKey, { user: 'nobody', role: 'VIEWER', expiresIn });
      expect(response.body.errors[0].extensions).toEqual({
        code: 'VALIDATION_FAILED',
        errors: {
          expiresIn: [
            'expiresIn must be a number and s, m, h or d, such as 90d, at least 1s and at most 36525d, or never.',
          ],
        },
      });
    },
  );
});

describe('a user', () => {
  it('can be created, given another role, disabled and enabled', async () => {
    const add = await server.graphql('mutation { createUser(name: "barbara", role: GUEST) { name role disabled } }');
    const key = await makeKey(server.database, { user: 'barbara', role: 'guest' });
    const programs = async () => (await server.rest('get', '/api/academics/programs', key)).status;
    const change = async (what: string) =>
      (await server.graphql(`mutation { updateUser(name: "barbara", ${what}) { role disabled } }`)).body.data
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

  it('cannot be created under an existing name', async () => {
    const response = await server.graphql('mutation { createUser(name: "admin", role: VIEWER) { id } }');
    expect(response.body.errors[0]).toMatchObject({
      message: 'User admin exists already.',
      extensions: { code: 'CONFLICT' },
    });
  });

  it('cannot be demoted or disabled as the last active administrator', async () => {
    const other = await startTestServer();
    const conflict = {
      extensions: { code: 'CONFLICT' },
      message: expect.stringContaining('last active administrator'),
    };

    const demoted = await other.graphql('mutation { updateUser(name: "admin", role: VIEWER) { id } }');
    const disabled = await other.graphql('mutation { updateUser(name: "admin", disabled: true) { id } }');
    expect([demoted.body.errors[0], disabled.body.errors[0]]).toMatchObject([conflict, conflict]);

    await other.graphql('mutation { createUser(name: "second", role: ADMIN) { id } }');
    const [one, two] = await Promise.all([
      other.graphql('mutation { updateUser(name: "admin", role: VIEWER) { id } }'),
      other.graphql('mutation { updateUser(name: "second", disabled: true) { id } }'),
    ]);
    expect([one, two].filter((response) => response.body.errors === undefined)).toHaveLength(1);
    await other.close();
  });
});

describe('a field for administrators', () => {
  const fields = [
    '{ users { id } }',
    '{ apiKeys { id } }',
    '{ auditLog { nodes { id } } }',
    '{ a: users { keys { id } } ...F } fragment F on Query { b: apiKeys { user { name } } }',
    'mutation { createUser(name: "x", role: ADMIN) { id } }',
    'mutation { updateUser(name: "admin", role: VIEWER) { id } }',
    'mutation { updateUser(name: "admin", newName: "root") { id } }',
    'mutation { deleteUser(name: "admin") { id } }',
    'mutation { createApiKey(user: "admin") { key } }',
    'mutation { updateApiKey(id: 1, expiresIn: "never") { id } }',
    'mutation { revokeApiKey(id: 1) { id } }',
    'mutation { rotateApiKey(id: 1) { key } }',
  ];

  it.each(fields)('is forbidden to all other roles: %s', async (query) => {
    for (const role of ['guest', 'viewer', 'editor'] as const) {
      const response = await server.graphql(query, {}, await makeKey(server.database, { role }));
      const { errors } = response.body;
      expect(errors.map((error: { message: string; extensions: object }) => [error.message, error.extensions])).toEqual(
        errors.map(() => ['You need the permission admin.', { code: 'FORBIDDEN' }]),
      );
    }
  });
});
