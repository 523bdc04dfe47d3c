import { setTimeout as delay } from 'node:timers/promises';
import { exchange } from '@service/http/testing';
import { lockTable } from '@service/postgres/testing/table-lock';
import supertest, { type Test } from 'supertest';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeKey } from '../support/credentials/keys.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { adminKey, serverForTest, useInstances } from '../support/server.ts';

const own = { 'sec-fetch-site': 'same-origin' };
const viewerQuery = { query: '{ viewer { name role readOnly key { id kind } } }' };

/** The cookie that a response sets, as a browser sends it. */
const cookieOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  String(Object(headers['set-cookie'])[0]).split(';')[0] ?? '';

/** Signs in with a key; returns the cookie. */
async function signIn(url: string, key: string): Promise<string> {
  return cookieOf(await supertest(url).post('/session').set(own).set('x-api-key', key).expect(204));
}

const withCookie = (url: string, cookie: string, headers: Record<string, string> = own): Test =>
  supertest(url).post('/graphql').set(headers).set('cookie', cookie).send(viewerQuery);

/** Repeats a check until it holds: a change is seen within a second. */
const eventually = (check: () => Promise<void>): Promise<void> => expect.poll(check).toBeUndefined();

const [server, other] = useInstances(2, { JWT_SECRET: secret });
const { database } = server;

describe('a session', () => {
  test('is made from a key, and its cookie is hidden from scripts and foreign pages', async () => {
    const response = await supertest(server.url).post('/session').set(own).set('x-api-key', adminKey).expect(204);
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^academic-structure-session=uas_\w+; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
    const { body } = await withCookie(server.url, cookieOf(response)).expect(200);
    expect(body.data.viewer).toMatchObject({ name: 'admin', role: 'ADMIN', key: { kind: 'SESSION' } });
  });

  test('has the prefix __Host- over TLS, and then the cookie without it is no credential', async () => {
    const tls = { ...own, origin: `https://${new URL(server.url).host}` };
    const response = await supertest(server.url).post('/session').set(tls).set('x-api-key', adminKey).expect(204);
    const cookie = cookieOf(response);
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-academic-structure-session=.*; Secure;/);
    await withCookie(server.url, cookie, tls).expect(200);
    await withCookie(server.url, cookie.replace('__Host-', ''), tls).expect(401);
  });

  test('is a credential only for requests that a browser says are of its own page', async () => {
    const cookie = await signIn(server.url, adminKey);
    const { host } = new URL(server.url);
    await withCookie(server.url, cookie, { origin: `http://${host}` }).expect(200);
    // A browser sends the one of the longest path first.
    await withCookie(server.url, `${cookie}; academic-structure-session=another`).expect(200);
    await withCookie(server.url, `academic-structure-session=another; ${cookie}`).expect(401);
    for (const foreign of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      await withCookie(server.url, cookie, foreign).expect(401);
    }
  });

  test('is a credential for import and export, and never for /v1', async () => {
    const cookie = await signIn(server.url, adminKey);
    const get = (path: string) => supertest(server.url).get(path).set(own).set('cookie', cookie);
    await get('/export/catalog.csv').expect(200);
    await get('/v1/api/academics/programs').expect(401);
    await get('//v1/api/academics/programs').expect(404);
    await supertest(server.url)
      .post('/import/catalog?dryRun=true')
      .set({ ...own, cookie, 'content-type': 'text/csv' })
      .send('program_name,program_duration,branch_name\n')
      .expect(({ status }) => expect([200, 400]).toContain(status));
  });

  test('gives way to a credential in a header', async () => {
    const cookie = await signIn(server.url, adminKey);
    const viewer = await makeKey(database, { user: 'vera', role: 'viewer' });
    const { body } = await withCookie(server.url, cookie).set('x-api-key', viewer).expect(200);
    expect(body.data.viewer.name).toBe('vera');
    await withCookie(server.url, cookie).set('authorization', 'Bearer wrong').expect(401);
  });

  test('is the credential where headers have none: a blank key, or a password for a proxy', async () => {
    const cookie = await signIn(server.url, adminKey);
    await withCookie(server.url, cookie).set('x-api-key', ' ').expect(200);
    await withCookie(server.url, cookie).set('authorization', 'Basic dTpw').expect(200);
    await supertest(server.url)
      .post('/graphql')
      .set({ ...own, authorization: 'Basic dTpw' })
      .send(viewerQuery)
      .expect(401);
  });

  test('is begun and ended by our own pages alone', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' };
    const cookie = await signIn(server.url, adminKey);
    const post = await supertest(server.url).post('/session').set(foreign).set('x-api-key', adminKey).expect(403);
    expect(post.headers['set-cookie']).toBeUndefined();
    await supertest(server.url).delete('/session').set(foreign).set('cookie', cookie).expect(403);
    await withCookie(server.url, cookie).expect(200);
  });

  test('is all that its cookie may have: no other key, and no token', async () => {
    const cookieWith = (credential: string): string => `academic-structure-session=${credential}`;
    const session = (await signIn(server.url, adminKey)).replace(/^.*?=/, '');
    for (let again = 0; again < 2; again += 1) {
      await withCookie(server.url, cookieWith(adminKey)).expect(401);
      await supertest(server.url).post('/graphql').set('x-api-key', adminKey).send(viewerQuery).expect(200);
    }
    const token = secretToken({ sub: 'ada', roles: ['admin'], exp: Math.floor(Date.now() / 1_000) + 600 });
    await supertest(server.url).post('/graphql').set('x-api-key', token).send(viewerQuery).expect(200);
    await withCookie(server.url, cookieWith(token)).expect(401);
    await supertest(server.url).post('/session').set(own).set('cookie', cookieWith(adminKey)).expect(401);
    await withCookie(server.url, cookieWith(session)).expect(200);
    // As a key, a session counts in a header, too.
    await supertest(server.url).post('/graphql').set('x-api-key', session).send(viewerQuery).expect(200);
  });

  test('is all that counts in the cookie of a WebSocket, too', async () => {
    const viewerBy = (cookie: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const address = `${server.url.replace('http', 'ws')}/graphql`;
        const socket = new WebSocket(address, 'graphql-transport-ws', { headers: { ...own, cookie } });
        socket.on('open', () => socket.send('{"type":"connection_init"}'));
        socket.on('message', (data) => {
          const { type, payload } = JSON.parse(String(data));
          if (type === 'connection_ack')
            socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: viewerQuery }));
          else socket.close();
          if (type === 'next') resolve(payload.data.viewer.name);
        });
        socket.on('close', resolve);
        socket.on('error', reject);
      });
    const cookie = await signIn(server.url, adminKey);
    expect(await viewerBy(cookie)).toBe('admin');
    expect(await viewerBy(`academic-structure-session=${adminKey}`)).toBe(4_403);
  });

  test('ends for all who have its cookie when one of them signs out', async () => {
    const cookie = await signIn(server.url, adminKey);
    const response = await supertest(server.url).delete('/session').set(own).set('cookie', cookie).expect(204);
    expect(String(response.headers['set-cookie'])).toMatch(/^academic-structure-session=;.*Expires=Thu, 01 Jan 1970/);
    await withCookie(server.url, cookie).expect(401);
    await supertest(server.url).delete('/session').set(own).set('cookie', cookie).expect(204);
  });

  test('leaves a key that was sent instead of a session as it is', async () => {
    await supertest(server.url).delete('/session').set(own).set('x-api-key', adminKey).expect(204);
    await server.graphql('{ viewer { name } }').expect(200);
  });

  test('ends with the key that it was made from, and is read-only when that is', async () => {
    const key = await makeKey(database, { user: 'erin', role: 'editor', readOnly: true });
    const cookie = await signIn(server.url, key);
    const { body } = await withCookie(server.url, cookie).expect(200);
    expect(body.data.viewer).toMatchObject({ name: 'erin', readOnly: true });
    const [row] = await database.query(`SELECT id FROM api_keys WHERE kind = 'key' AND read_only`, []);
    await server.graphql('mutation ($id: Int!) { revokeApiKey(id: $id) { state } }', { id: row?.['id'] }).expect(200);
    await withCookie(server.url, cookie).expect(401);
  });

  test('made from a session takes its place, and ends with the key that the first was made from', async () => {
    const again = async (cookie: string) =>
      cookieOf(await supertest(server.url).post('/session').set(own).set('cookie', cookie).expect(204));
    const { body } = await server.graphql('mutation { createApiKey(input: {}) { key apiKey { id } } }');
    const { key, apiKey } = body.data.createApiKey;
    const first = await signIn(server.url, key);
    const third = await again(await again(first));
    await withCookie(server.url, first).expect(401);
    await withCookie(server.url, third).expect(200);

    await server.graphql('mutation ($id: Int!) { revokeApiKey(id: $id) { id } }', { id: apiKey.id });
    await withCookie(server.url, third).expect(401);
  });

  test('is not made from a key that is revoked meanwhile', async () => {
    const key = await makeKey(database, { user: 'vic' });
    await supertest(server.url).get('/v1/ping').set('x-api-key', key).expect(200);
    const keys = await lockTable(database, 'api_keys', 'ACCESS EXCLUSIVE');
    const response = supertest(server.url).post('/session').set(own).set('x-api-key', key).then();
    await keys.waitUntilBlocking();
    const ofVic = `user_id = (SELECT id FROM users WHERE name = 'vic')`;
    await keys.query(`UPDATE api_keys SET revoked_at = now() WHERE ${ofVic}`);
    await keys.query('COMMIT');

    expect((await response).status).toBe(401);
    expect(await database.query(`SELECT FROM api_keys WHERE kind = 'session' AND ${ofVic}`)).toEqual([]);
  });

  test('lives no longer than its key, else twelve hours after its last use and seven days in all', async () => {
    const key = await makeKey(database, { user: 'ted', expiresAt: new Date(Date.now() + 3_600_000) });
    await signIn(server.url, key);
    await signIn(server.url, adminKey);
    const rows = await database.query(
      `SELECT users.name, round(extract(epoch FROM expires_at - api_keys.created_at) / 3600)::int AS hours,
         round(extract(epoch FROM ends_at - api_keys.created_at) / 3600)::int AS most
       FROM api_keys JOIN users ON users.id = user_id WHERE kind = 'session' AND users.name IN ('ted', 'admin')
       ORDER BY api_keys.id DESC LIMIT 2`,
      [],
    );
    expect(rows).toEqual([
      { name: 'admin', hours: 12, most: 168 },
      { name: 'ted', hours: 1, most: 1 },
    ]);
  });

  test('is prolonged by its use, up to its end', async () => {
    const key = await server.makeKey({ user: 'sid', role: 'viewer' });
    await server.database.query(
      `UPDATE api_keys SET kind = 'session', expires_at = now() + interval '1 hour', ends_at = now() + interval '8 hours'
       WHERE user_id = (SELECT id FROM users WHERE name = 'sid')`,
    );
    await server.graphql('{ viewer { name } }', {}, key).expect(200);
    const left = async () =>
      (
        await server.database.query(
          "SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS h FROM api_keys WHERE user_id = (SELECT id FROM users WHERE name = 'sid')",
        )
      )[0]?.['h'];
    await expect.poll(left, { timeout: 15_000 }).toBe(8);
  });

  test('is the session of a token, with its role, and ends with it', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const cookie = await signIn(server.url, secretToken({ sub: 'tilda', roles: ['editor'], exp }));
    const { body } = await withCookie(server.url, cookie).expect(200);
    expect(body.data.viewer).toMatchObject({ name: 'tilda', role: 'EDITOR', key: { kind: 'SESSION' } });
    await signIn(server.url, secretToken({ sub: 'tilda', roles: ['editor'], exp: Number.MAX_SAFE_INTEGER }));
    const forged = await signIn(server.url, secretToken({ sub: 'admin', roles: ['viewer'], exp }));
    const other = await withCookie(server.url, forged).expect(200);
    expect(other.body.data.viewer).toMatchObject({ name: 'admin (admin)', role: 'VIEWER' });
    const withoutRole = await signIn(server.url, secretToken({ sub: 'tim', roles: ['unknown'], exp }));
    expect((await withCookie(server.url, withoutRole)).body.data.viewer).toMatchObject({ name: 'tim', role: 'GUEST' });
  });

  test('of a token is rejected when the user with its name is disabled, and ends when another role signs in', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    await database.query(`INSERT INTO users (name, role) VALUES ('tom', 'viewer')`);
    const asViewer = await signIn(server.url, secretToken({ sub: 'tom', roles: ['viewer'], exp }));
    const asAdmin = await signIn(server.url, secretToken({ sub: 'tom', roles: ['admin'], exp }));
    await withCookie(server.url, asViewer).expect(401);
    await withCookie(server.url, asAdmin).expect(200);

    await database.query(`UPDATE users SET disabled = true WHERE name = 'tom'`);

    await eventually(async () => {
      const query = '{ programs { count } }';
      const { body } = await supertest(server.url).post('/graphql').set(own).set('cookie', asAdmin).send({ query });
      expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    });
  });

  test('can be neither rotated nor given another expiry', async () => {
    const cookie = await signIn(server.url, adminKey);
    const { body } = await withCookie(server.url, cookie);
    const { id } = body.data.viewer.key;
    for (const change of [
      'rotateApiKey(id: $id) { key }',
      'updateApiKey(id: $id, input: { expiresIn: "never" }) { id }',
    ]) {
      const { body } = await server.graphql(`mutation ($id: Int!) { ${change} }`, { id });
      expect(body.errors[0].extensions.code).toBe('CONFLICT');
    }
  });

  test('is told by GET /session, which anybody may ask', async () => {
    const cookie = await signIn(server.url, adminKey);
    const ask = (headers: Record<string, string>) => supertest(server.url).get('/session').set(headers).expect(200);
    expect((await ask({})).body).toEqual({ signedIn: false, provider: false, ownKeys: true });
    expect((await ask({ ...own, cookie })).body).toEqual({ signedIn: true, provider: false, ownKeys: true });
    expect((await ask({ cookie })).body).toMatchObject({ signedIn: false });
  });

  test('of a provider ends by its logout token, and nobody waits for the body of one', async () => {
    const address = '/session/back-channel-logout';
    const head = `POST ${address} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n`;
    const [response] = await exchange(server.url, head);
    expect(response).toMatchObject({ status: 404, body: '{"message":"There is no such path."}' });
  });

  test('counts in the rate limit of its caller, and an invalid one among the failed logins of its address', async () => {
    const limited = await serverForTest({ RATE_LIMIT_PER_MINUTE: '3', AUTH_FAILURES_PER_MINUTE: '2' });
    const key = await makeKey(limited.database);
    const begin = () => supertest(limited.url).post('/session').set(own).set('x-api-key', key);
    const end = (invalid: string) => supertest(limited.url).delete('/session').set(own).set('x-api-key', invalid);

    for (const expected of [204, 204, 204, 429, 429]) await begin().expect(expected);
    for (const expected of [204, 204, 429]) await end(`uas_${'x'.repeat(32)}`).expect(expected);
  });

  test('has an exact path, as everything', async () => {
    for (const path of ['/session/', '/Session', '/session/sign-in/'])
      await supertest(server.url).get(path).expect(404);
  });

  test('without its secret in the log', async () => {
    const cookie = await signIn(server.url, adminKey);
    await withCookie(server.url, cookie).expect(200);
    await delay(50);
    expect(server.logged.join('')).not.toContain(cookie.split('=')[1]);
  });
});

describe('a session on two instances', () => {
  test('holds on both, and an administrator ends all of a user on both within a second, but no key', async () => {
    const key = await server.makeKey({ user: 'ines', role: 'editor' });
    const cookies = [await signIn(server.url, key), await signIn(other.url, key)];
    for (const cookie of cookies) await withCookie(other.url, cookie).expect(200);
    const { body } = await server.graphql('{ users { id name } }');
    const { id } = body.data.users.find(({ name }: { name: string }) => name === 'ines');
    await server.graphql('mutation ($id: Int!) { endSessions(id: $id) { name } }', { id }).expect(200);
    for (const cookie of cookies) {
      await withCookie(server.url, cookie).expect(401);
      await eventually(async () => void (await withCookie(other.url, cookie).expect(401)));
    }
    await server.graphql('{ viewer { name } }', {}, key).expect(200);
    await server.graphql('mutation ($id: Int!) { endSessions(id: $id) { name } }', { id }, key).expect(({ body }) => {
      expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    });
    const entries = await database.query(
      `SELECT FROM audit_entries JOIN api_keys ON api_keys.id = subject_id
       WHERE actor = 'admin' AND action = 'sign-out' AND kind = 'session' AND user_id = $1`,
      [id],
    );
    expect(entries).toHaveLength(2);
  });
});
