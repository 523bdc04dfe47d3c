import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { lockTable } from '@service/postgres/testing/table-lock';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { userIdOf } from '../support/credentials/keys.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { adminKey, useServer } from '../support/server.ts';
import { keyActions } from './keys/key-actions.ts';

// Limits count by user: who makes keys, begins sessions or sends tokens has no more of anything.

const perMinute = 12;
const server = useServer({ JWT_SECRET: secret, RATE_LIMIT_PER_MINUTE: String(perMinute) });
const { createKey, beginSession } = keyActions(server);
const issuer = 'https://login.example.edu/realms/u';
const own = { 'sec-fetch-site': 'same-origin' };

/** A user who has signed in at the identity provider, and the ways in which they may send requests. */
async function newUser() {
  const sub = randomUUID();
  const key = await server.makeKey({ user: sub.slice(0, 8), role: 'editor' });
  await server.database.query('UPDATE users SET issuer = $1, subject = $2 WHERE name = $3', [
    issuer,
    sub,
    sub.slice(0, 8),
  ]);
  const token = secretToken({ iss: issuer, sub, roles: ['editor'], exp: Math.floor(Date.now() / 1_000) + 600 });
  return {
    name: sub.slice(0, 8),
    key,
    others: {
      'a key of theirs': await server.makeKey({ user: sub.slice(0, 8), role: 'editor' }),
      'a key that the first made': await createKey(key),
      'a session': await beginSession(key),
      'a token': token,
      'a session of a token': await beginSession(token),
    },
    requests: 3,
  };
}
const credentials = [
  'a key of theirs',
  'a key that the first made',
  'a session',
  'a token',
  'a session of a token',
] as const;

describe.each(credentials)('with %s as with another key, a user', (which) => {
  it('has one rate limit', async () => {
    const { key, others, requests } = await newUser();
    for (let sent = requests; sent < perMinute; sent += 1) await server.rest('get', '/ping', key).expect(200);
    await server.rest('get', '/ping', others[which]).expect(429);
  });
});

describe('with a token as with a key, a user', () => {
  const which = 'a token';

  it('has one export at a time', async () => {
    const { key, others } = await newUser();
    const stranger = await newUser();
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const get = (by: string) => supertest(server.url).get('/export/catalog.csv').set('x-api-key', by);
    const first = get(key).then();
    await lock.waitUntilBlocking();
    const second = await get(others[which]);
    const ofStranger = get(stranger.key).then();
    await lock.query('COMMIT');
    expect([second.status, second.headers['retry-after'], second.body]).toEqual([
      429,
      '5',
      { message: 'You have an export running already. Please try again when it has finished.' },
    ]);
    expect([(await first).status, (await ofStranger).status]).toEqual([200, 200]);
  });

  it('sends two files at a time', async () => {
    const { key, others } = await newUser();
    const begin = (by: string) => {
      const headers = { 'x-api-key': by, 'content-type': 'text/csv', 'content-length': 1_000 };
      const sent = request(`${server.url}/import/columns`, { method: 'POST', headers, agent: false });
      sent.on('error', () => undefined).write('program_name\n');
      return sent;
    };
    const sending = [begin(key), begin(key)];
    const refused = async () => {
      const sent = begin(others[which]);
      sending.push(sent);
      const answer = await Promise.race([once(sent, 'response'), delay(500, [])]);
      return answer[0]?.statusCode;
    };
    await expect.poll(refused).toBe(429);
    for (const sent of sending) sent.destroy();
  });

  it('has one namespace of idempotency keys', async () => {
    const { key, others } = await newUser();
    const create = (by: string) =>
      server
        .rest('post', '/api/academics/programs', by)
        .set('Idempotency-Key', 'same')
        .send({ name: `Law with ${which}`, duration: '3 Years' });
    const { body } = await create(key);
    const again = await create(others[which]);
    expect([again.status, again.body]).toEqual([201, body]);
  });
});

describe('a user', () => {
  it('has at most a hundred active keys', async () => {
    const { key, name } = await newUser();
    const userId = await userIdOf(server.database, name);
    await server.database.query(
      `INSERT INTO api_keys (user_id, hash, prefix) SELECT $1, sha256((random()::text || number)::bytea), ''
       FROM generate_series(1, 97) AS number`,
      [userId],
    );
    const create = async () =>
      (await server.graphql('mutation { createApiKey(input: {}) { apiKey { id } } }', {}, key)).body;
    const message = `User ${name} has 100 active keys, which is the limit: revoke one first.`;
    expect(await create()).toMatchObject({ errors: [{ message, extensions: { code: 'CONFLICT' } }] });
    await server.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_keys)');
    expect((await create()).errors).toBeUndefined();
    expect((await create()).errors[0].message).toBe(message);
  });

  it('changes their keys at most two hundred times an hour, and can still revoke them; administrators have no such limit', async () => {
    const { key, name } = await newUser();
    const { id } = (await server.graphql('{ viewer { key { id } } }', {}, key)).body.data.viewer.key;
    const change = async (name: string, by = key) =>
      (await server.graphql(`mutation { updateApiKey(id: ${id}, input: { name: "${name}" }) { name } }`, {}, by)).body;
    const [other] = await server.database.query('SELECT max(id) AS key FROM api_keys WHERE user_id <> $1', [
      await userIdOf(server.database, name),
    ]);
    const changed = (actor: string, by: unknown, times: number) =>
      server.database.query(
        `INSERT INTO audit_entries (actor, key_id, action, subject, subject_id)
         SELECT $1, $2, 'update', 'ApiKey', $3 FROM generate_series(1, $4)`,
        [actor, by, id, times],
      );
    // By others, by a key of theirs, and by a token.
    for (const [actor, by] of [
      ['admin', other?.['key']],
      ['cli', null],
    ] as const) {
      await changed(actor, by, 200);
    }
    // By names that they had before, too.
    await changed(name, id, 100);
    await changed(name, null, 50);
    await server.graphql(
      `mutation { updateUser(id: ${await userIdOf(server.database, name)}, input: { name: "New ${name}" }) { id } }`,
    );
    await changed(`New ${name}`, null, 49);
    expect((await change('one')).data.updateApiKey).toEqual({ name: 'one' });
    expect((await change('two')).errors[0]).toMatchObject({
      message: 'You may change your keys 200 times an hour. Please wait.',
      extensions: { code: 'RATE_LIMITED' },
    });
    expect((await change('three', adminKey)).data.updateApiKey).toEqual({ name: 'three' });
    const revoke = `mutation { revokeApiKey(id: ${id}) { state } }`;
    expect((await server.graphql(revoke, {}, key)).body.data.revokeApiKey).toEqual({ state: 'REVOKED' });
  });

  it('gets at most two hundred keys an hour, revoked or not, by keys; a new one once an hour has passed', async () => {
    const { key, name } = await newUser();
    const userId = await userIdOf(server.database, name);
    await server.database.query(
      `INSERT INTO api_keys (user_id, hash, prefix, revoked_at)
       SELECT $1, sha256((random()::text || number)::bytea), '', now() FROM generate_series(1, 196) AS number`,
      [userId],
    );
    const create = () => server.graphql('mutation { createApiKey(input: {}) { apiKey { id } } }', {}, key);
    expect((await create()).body.errors).toBeUndefined();
    const refused = await create();
    expect(refused.body.errors[0]).toMatchObject({
      message: `User ${name} may get 200 keys an hour. Please wait.`,
      extensions: { code: 'RATE_LIMITED' },
    });
    await server.database.query(`UPDATE api_keys SET created_at = now() - interval '61 minutes' WHERE user_id = $1`, [
      userId,
    ]);
    expect((await create()).body.errors).toBeUndefined();
  });

  /** Sessions that a key has begun this many minutes ago. */
  const addSessions = async (key: string, count: number, minutes: number, fields = ''): Promise<void> => {
    await server.database.query(
      `INSERT INTO api_keys (user_id, made_with, hash, prefix, kind, created_at, ends_at, expires_at ${fields && ', revoked_at'})
       SELECT user_id, id, sha256((random()::text || number)::bytea), '', 'session',
         now() - $3::int * interval '1 minute', now() + interval '1 day', now() + interval '1 day' ${fields && ', now()'}
       FROM api_keys, generate_series(1, $2::int) AS number WHERE hash = $1`,
      [hashApiKey(key), count, minutes],
    );
  };
  const begin = (by: string) => supertest(server.url).post('/session').set(own).set('x-api-key', by);

  it('is not locked out by sixty sessions that one of their credentials has begun within the hour, but that is', async () => {
    const { key, others } = await newUser();
    await addSessions(key, 60, 50);
    const rejected = await begin(key).expect(429);
    expect(rejected.body.message).toBe('You may begin 60 sessions an hour with one key. Please wait.');
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(600);
    await begin(others['a key of theirs']).expect(204);
    await begin(others['a token']).expect(204);
    await begin(others['a session of a token']).expect(204);
    await server.database.query(
      `UPDATE api_keys SET created_at = now() - interval '61 minutes' WHERE kind = 'session'`,
    );
    await begin(key).expect(204);
  });

  it('signs in and out as often as a hundred times an hour, which bounds what that adds to the audit log', async () => {
    const { key } = await newUser();
    await server.database.query(
      `UPDATE api_keys SET created_at = now() - interval '59 minutes' WHERE kind = 'session'`,
    );
    await addSessions(key, 98, 50, 'ended');
    await begin(key).expect(204);
    const rejected = await begin(key).expect(429);
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(600);
    await server.database.query(
      `UPDATE api_keys SET created_at = now() - interval '61 minutes' WHERE kind = 'session'`,
    );
    await begin(key).expect(204);
  });

  it('signs in again with the oldest of a hundred sessions, which is kept as what the new one replaces', async () => {
    const { key, others } = await newUser();
    await addSessions(key, 100, 90);
    await begin(others['a session']).expect(204);
    const replaced = 'SELECT old.hash FROM api_keys JOIN api_keys AS old ON old.id = api_keys.replaces';
    expect(
      await server.database.query(`${replaced} WHERE old.hash = $1`, [hashApiKey(others['a session'])]),
    ).toHaveLength(1);
  });

  it('keeps their other sessions when one credential begins too many: that loses its own oldest', async () => {
    const { key, others } = await newUser();
    const made = await server.graphql(
      'mutation { createApiKey(input: {}) { apiKey { id } } }',
      {},
      others['a session'],
    );
    await addSessions(key, 100, 90);
    await begin(key).expect(204);
    // What was made in a session that is forgotten still belongs to the key.
    const ofKey =
      'SELECT made.id FROM api_keys AS made JOIN api_keys AS key ON key.id = made.made_with WHERE key.hash = $1';
    expect(await server.database.query(`${ofKey} AND made.kind = 'key'`, [hashApiKey(key)])).toContainEqual(
      made.body.data.createApiKey.apiKey,
    );
    expect(await server.database.query(`${ofKey} AND made.kind = 'session'`, [hashApiKey(key)])).toHaveLength(100);
    await supertest(server.url).get('/v1/ping').set('x-api-key', others['a session']).expect(401);
    await supertest(server.url).get('/v1/ping').set('x-api-key', others['a session of a token']).expect(200);
  });
});
