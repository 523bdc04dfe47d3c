import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyActions } from '../accounts/keys/key-actions.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { subscribe } from '../support/event-stream.ts';
import { useServer } from '../support/server.ts';

// A user of the identity provider is the same person in tokens of that issuer: by issuer and subject, not by name.

const server = useServer({ JWT_SECRET: secret });
const { createKey, beginSession } = keyActions(server);
const issuer = 'https://login.example.edu/realms/u';

/** A user as the first sign-in at the provider makes it. */
async function newPerson(role: string) {
  const [subject, name] = [randomUUID(), `Ada ${randomUUID().slice(0, 6)}`];
  const [row] = await server.database.query(
    'INSERT INTO users (name, role, issuer, subject) VALUES ($1, $2, $3, $4) RETURNING id',
    [name, role, issuer, subject],
  );
  return { id: Number(row?.['id']), name, subject };
}
const tokenOf = (claims: object) =>
  secretToken({ iss: issuer, roles: ['editor'], exp: Math.floor(Date.now() / 1_000) + 600, ...claims });
const create = async (credential: string): Promise<string> => {
  const mutation = 'mutation { createProgram(input: { name: "Law", duration: "1 Year" }) { id } }';
  const { body } = await server.graphql(mutation, {}, credential);
  return body.errors?.[0].extensions.code ?? 'created';
};
const change = (id: number, input: string) =>
  server.graphql(`mutation { updateUser(id: ${id}, input: { ${input} }) { id } }`);

describe('a token of a user of the identity provider', () => {
  it('is theirs: their name, in the audit log too, and their keys', async () => {
    const { name, subject } = await newPerson('editor');
    const token = tokenOf({ sub: subject });
    const { body } = await server.graphql('{ viewer { name } apiKeys { id } }', {}, token);
    expect(body.data).toEqual({ viewer: { name }, apiKeys: [] });
    expect(await create(token)).toBe('created');
    expect(await server.database.query('SELECT FROM audit_entries WHERE actor = $1', [name])).toHaveLength(1);
  });

  it.each([
    ['a token', async (token: string) => token],
    ['a session of a token', (token: string) => beginSession(token)],
    ['a key made in a session of a token', async (token: string) => createKey(await beginSession(token))],
  ])('grants nothing once they are disabled here, and less once they may do less: %s', async (_what, make) => {
    const { id, subject } = await newPerson('editor');
    const credential = await make(tokenOf({ sub: subject }));
    expect(await create(credential)).toBe('created');
    await change(id, 'role: VIEWER');
    await expect.poll(() => create(credential)).toBe('FORBIDDEN');
    await change(id, 'disabled: true');
    await expect.poll(() => create(credential)).toBe('UNAUTHENTICATED');
    await expect(beginSession(tokenOf({ sub: subject }))).rejects.toThrow('got 401');
  });

  it.each([
    ['another issuer', { iss: 'https://other.example.edu' }, 'created'],
    ['no issuer', { iss: undefined }, 'created'],
    ['another subject', { sub: 'somebody else' }, 'created'],
  ])('of somebody who is disabled here is another person with %s: %j', async (_what, claims, expected) => {
    const { id, subject } = await newPerson('editor');
    await change(id, 'disabled: true');
    expect(await create(tokenOf({ sub: subject, ...claims }))).toBe(expected);
  });

  it('is nobody by the name that they have here', async () => {
    const { id, name } = await newPerson('editor');
    await change(id, 'disabled: true');
    expect(await create(tokenOf({ sub: name }))).toBe('created');
  });

  it('has the role of the latest sign-in: one with the token gives the role of the token, and keeps the name', async () => {
    const { name, subject } = await newPerson('viewer');
    const token = tokenOf({ sub: subject });
    expect(await create(token)).toBe('FORBIDDEN');
    const key = await beginSession(token);
    const { body } = await server.graphql('{ viewer { name role } }', {}, key);
    expect(body.data.viewer).toEqual({ name, role: 'EDITOR' });
    expect(await create(token)).toBe('created');
  });

  it('creates once with an Idempotency-Key, whatever is made of its user before it is repeated', async () => {
    const token = tokenOf({ sub: randomUUID(), iss: issuer });
    const createOnce = async () => {
      const mutation = 'mutation { createProgram(input: { name: "Once", duration: "1 Year" }) { id } }';
      const { body } = await server.graphql(mutation, {}, token).set('idempotency-key', 'once');
      return body.data.createProgram.id;
    };
    const createOnceByRest = async () => {
      const request = server.rest('post', '/api/academics/programs', token).set('idempotency-key', 'once');
      return (await request.send({ name: 'Once', duration: '1 Year' })).body.id;
    };
    const first = [await createOnce(), await createOnceByRest()];
    await beginSession(token);
    expect([await createOnce(), await createOnceByRest()]).toEqual(first);
  });

  it('ends the streams of a token when they are disabled', async () => {
    const { id, subject } = await newPerson('editor');
    const query = 'subscription { catalogChanged { action } }';
    const stream = await subscribe(server, query, { key: tokenOf({ sub: subject }) });
    await change(id, 'disabled: true');
    expect(await stream.rest()).toMatchObject([{ event: 'complete' }]);
  });
});
