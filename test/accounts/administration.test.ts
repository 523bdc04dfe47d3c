import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    key
    apiKey { id prefix name readOnly state expiresAt lastUsedAt user { name role disabled } }
  }
}`;

interface NewUser {
  readonly user: string;
  readonly role: string;
}

/** Creates a user and a key. */
async function createdKey({
  user: name,
  role,
  ...fields
}: NewUser & Readonly<Record<string, unknown>>): Promise<{ key: string; apiKey: { id: number; prefix: string } }> {
  const createUser = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }';
  const { id: userId } = (await server.graphql(createUser, { input: { name, role } })).body.data.createUser;
  return (await server.graphql(createKey, { input: { userId, ...fields } })).body.data.createApiKey;
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

  it('cannot be listed by an invalid name of a user', async () => {
    const { body } = await server.graphql('{ apiKeys(filter: { user: "" }) { id } }');
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { filter: ['user must not be blank.'] },
    });
  });

  it('is created with a time at which it expires', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await createdKey({ user: 'grace', role: 'VIEWER', expiresAt })).apiKey).toMatchObject({ expiresAt });
  });

  it('is not created for a user who does not exist', async () => {
    const response = await server.graphql(createKey, { input: { userId: 0 } });
    expect(response.body).toMatchObject({
      data: { createApiKey: null },
      errors: [{ message: 'User 0 does not exist.', extensions: { code: 'NOT_FOUND' } }],
    });
  });

  it('works during the overlap after a rotation, and stops at once without an overlap', async () => {
    const { key, apiKey } = await createdKey({ user: 'edsger', role: 'VIEWER' });
    const rotate =
      'mutation ($id: Int!, $input: RotateApiKeyInput) { rotateApiKey(id: $id, input: $input) { key apiKey { id } } }';

    const second = (await server.graphql(rotate, { id: apiKey.id, input: { overlap: '24h' } })).body.data.rotateApiKey;
    expect((await server.rest('get', '/ping', key)).status).toBe(200);
    expect((await server.rest('get', '/ping', second.key)).status).toBe(200);
    const replaced = await server.graphql('{ apiKeys(filter: { user: "edsger" }) { id replacedBy } }');
    expect(replaced.body.data.apiKeys).toEqual([
      { id: apiKey.id, replacedBy: second.apiKey.id },
      { id: second.apiKey.id, replacedBy: null },
    ]);

    const third = (await server.graphql(rotate, { id: second.apiKey.id })).body.data.rotateApiKey;
    expect((await server.rest('get', '/ping', second.key)).status).toBe(401);
    expect((await server.rest('get', '/ping', third.key)).status).toBe(200);
  });

  it('cannot be created with an invalid lifetime', async () => {
    const response = await server.graphql(createKey, { input: { userId: 1, expiresIn: '0.5s' } });
    expect(response.body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: {
        expiresIn: [
          'expiresIn must be a number and s, m, h or d, such as 90d, at least 1s and at most 36525d, or never.',
        ],
      },
    });
  });
});

describe('a field for administrators', () => {
  const fields = [
    '{ users { id } }',
    '{ auditLog { nodes { id } } }',
    '{ a: users { keys { id } } ...F } fragment F on Query { b: apiKeys { user { name } } }',
    'mutation { createUser(input: { name: "x", role: ADMIN }) { id } }',
    'mutation { updateUser(id: 1, input: { role: VIEWER }) { id } }',
    'mutation { deleteUser(id: 1) { id } }',
    '{ apiKeys(filter: { user: "admin" }) { id } }',
    'mutation { createApiKey(input: { userId: 1 }) { key } }',
    'mutation { updateApiKey(id: 1, input: { expiresIn: "never" }) { id } }',
    'mutation { revokeApiKey(id: 1) { id } }',
    'mutation { rotateApiKey(id: 1) { key } }',
  ];

  it.each(fields)('is forbidden to all other roles: %s', async (query) => {
    for (const role of ['guest', 'viewer', 'editor'] as const) {
      const response = await server.graphql(query, {}, await server.makeKey({ role }));
      const { errors } = response.body;
      expect(errors).toMatchObject(
        errors.map(() => ({ message: 'You need the permission admin.', extensions: { code: 'FORBIDDEN' } })),
      );
    }
  });
});
