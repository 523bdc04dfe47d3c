import { writeFileSync } from 'node:fs';
import path from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { makeFolder } from '../support/files.ts';
import { adminKey, useServer } from '../support/server.ts';

const dashboards = 'https://dashboards.example.org';
const perMinute = 40;
const operations = path.join(makeFolder(), 'operations.json');
writeFileSync(operations, '{"ping":"{ ping { status } }","viewer":"{viewer{name}}"}');
const server = useServer({
  PUBLIC_URL: 'https://university.example.edu/catalog/',
  CORS_ORIGINS: `https://other.example.org:8443, ${dashboards}`,
  RATE_LIMIT_PER_MINUTE: String(perMinute),
  BODY_LIMIT_BYTES: '1024',
  GRAPHQL_PERSISTED_OPERATIONS_FILE: operations,
});
const key = { 'x-api-key': adminKey };
const html = { accept: 'text/html' };

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' });

// A proxy passes the prefix on, or removes it.
describe.each(['/catalog', ''])('a service with a path in PUBLIC_URL, asked below "%s"', (prefix) => {
  it('names its addresses with that path, in the headers of REST', async () => {
    const created = await fetch(`${server.url}${prefix}/v1/api/academics/programs`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Below "${prefix}"`, duration: '2 Years' }),
    });
    const { id } = (await created.json()) as { id: number };
    expect(created.headers.get('location')).toBe(`/catalog/v1/api/academics/programs/${id}`);
    for (const _ of ['not cached', 'cached']) {
      const list = await get(`${prefix}/v1/api/academics/programs?size=1`, key);
      expect(list.headers.get('link')).toMatch(
        /^<\/catalog\/v1\/api\/academics\/programs\?page=1&size=1>; rel="first"/,
      );
    }
  });

  it('sends pages whose links hold below it', async () => {
    const found = await (await get(`${prefix}/console/programs/1`, html)).text();
    expect(found).toContain('<base href="/catalog/console/"');
    const missing = await get(`${prefix}/no/such/page`, html);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('<base href="/catalog/"');
    const document = await (await get(`${prefix}/openapi.json`)).json();
    expect(document.servers).toEqual([{ url: '/catalog/v1', description: 'This service.' }]);
    const guide = await (await get(`${prefix}/docs/rest`, html)).text();
    expect(guide).not.toMatch(/(?:href|src)="\//);
  });

  it('compresses what it has changed', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(`${prefix}/console`, { ...html, 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(await response.text()).toContain('<base href="/catalog/console/"');
    }
  });

  it('keeps its cookie from other services of the host, and from other hosts', async () => {
    const signedIn = await fetch(`${server.url}${prefix}/session`, {
      method: 'POST',
      headers: { ...key, 'sec-fetch-site': 'same-origin' },
    });
    const cookie = String(signedIn.headers.get('set-cookie'));
    expect(cookie).toMatch(
      /^__Secure-academic-structure-session=uas_\w+; Max-Age=604800; Path=\/catalog; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const own = { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
    expect(await (await get(`${prefix}/graphql?query={viewer{name}}`, own)).json()).toEqual({
      data: { viewer: { name: 'admin' } },
    });
  });

  it('opens WebSockets', async () => {
    const address = `${server.url.replace('http', 'ws')}${prefix}/graphql`;
    const socket = new WebSocket(address, 'graphql-transport-ws', { headers: key });
    const message = await new Promise((resolve, reject) => {
      socket.on('open', () => socket.send('{"type":"connection_init"}'));
      socket.on('message', (data) => resolve(String(data)));
      socket.on('error', reject);
    });
    socket.close();
    expect(message).toBe('{"type":"connection_ack"}');
  });
});

it('leads from the path itself to the page below it', async () => {
  const response = await get('/catalog');
  expect([response.status, response.headers.get('location')]).toEqual([308, '/catalog/']);
  expect((await get('/catalogue', html)).status).toBe(404);
});

describe('a page of an origin in CORS_ORIGINS', () => {
  const list = '/v1/api/academics/programs';
  const credentials = { 'access-control-allow-credentials': expect.anything() };
  const preflight = (path: string, origin: string) =>
    supertest(server.url)
      .options(path)
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-api-key' });

  it.each([list, '/graphql'])('passes the preflight of %s without a key, and another origin does not', async (path) => {
    const { status, headers } = await preflight(path, dashboards);
    expect([status, headers['access-control-allow-origin']]).toEqual([204, dashboards]);
    expect(headers['access-control-allow-headers']).toMatch(/^x-api-key, authorization, content-type, /);
    const stranger = await preflight(path, 'https://stranger.example.org');
    expect([stranger.status, stranger.headers['access-control-allow-origin']]).toEqual([204, undefined]);
  });

  it('may read responses, cached ones and a 401 too, but is not allowed credentials', async () => {
    const allowed = { 'access-control-allow-origin': dashboards, vary: 'x-api-key, authorization, Origin' };
    for (const [status, sent] of [
      [200, adminKey],
      [200, adminKey],
      [401, null],
    ] as const) {
      const response = await server.rest('get', '/api/academics/programs', sent).set('Origin', dashboards);
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject(allowed);
      expect(response.headers).not.toMatchObject(credentials);
    }
  });
});

describe('RATE_LIMIT_PER_MINUTE', () => {
  it('counts the requests of a user with all keys, over REST and GraphQL, cached ones too', async () => {
    const [busy, same] = [await server.makeKey({ user: 'busy' }), await server.makeKey({ user: 'busy' })];
    const requests = [
      () => server.rest('get', '/api/academics/programs', busy),
      () => server.rest('get', '/api/academics/programs', same),
      () => server.graphql('{ ping { status } }', {}, busy),
      () => server.rest('get', '/no/such/path', same),
    ];
    for (let sent = 0; sent < perMinute; sent += 1) {
      const response = await requests[sent % requests.length]?.();
      expect(response?.headers['ratelimit']).toMatch(new RegExp(`^"default";r=${perMinute - sent - 1};t=(?:59|60)$`));
    }
    const message = `You may send ${perMinute} requests a minute. Please wait.`;
    for (const request of requests) {
      const { status, headers, body } = await request();
      expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([
        429,
        'RATE_LIMITED',
        expect.any(String),
      ]);
      expect(body.errors?.[0] ?? body).toMatchObject({ message });
    }
  });

  it('affects no other user, and sends no headers to a request without a key', async () => {
    await server.rest('get', '/ping', await server.makeKey({ user: 'olga' })).expect(200);
    const { status, headers } = await server.rest('get', '/ping', null);
    expect([status, headers['ratelimit']]).toEqual([401, undefined]);
  });
});

it('BODY_LIMIT_BYTES limits the bodies of both surfaces', async () => {
  const key = await server.makeKey({ user: 'writer', role: 'editor' });
  const body = (bytes: number) => `{"name":"P","duration":"1","x":"${'x'.repeat(bytes - 34)}"}`;
  const post = (bytes: number) =>
    server.rest('post', '/api/academics/programs', key).type('application/json').send(body(bytes));
  expect(body(1_024)).toHaveLength(1_024);
  await post(1_024).expect(201);
  expect((await post(1_025).expect(413)).body.errors).toEqual({ body: ['The body must be at most 1024 bytes long.'] });
  await server.graphql(`{ ping { status } } #${'x'.repeat(1_024)}`, {}, key).expect(413);
});

it('GRAPHQL_PERSISTED_OPERATIONS_FILE allows its operations alone, from the cache and by GET too, and restricts no REST', async () => {
  const key = await server.makeKey({ user: 'client' });
  for (const _ of ['uncached', 'cached']) {
    const { body } = await server.graphql('', {}, key).send({ query: undefined, documentId: 'ping' });
    expect(body).toEqual({ data: { ping: { status: 'ok' } } });
    expect((await server.graphql('{ programs { count } }', {}, key)).status).toBe(400);
  }
  const get = (parameters: Record<string, string>) =>
    supertest(server.url).get('/graphql').query(parameters).set('x-api-key', key);
  await get({ documentId: 'ping' }).expect(200);
  await get({ query: '{ programs { count } }' }).expect(400);
  await server.rest('get', '/api/academics/programs', key).expect(200);
});
