import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const dashboards = 'https://dashboards.example.org';
const stranger = 'https://stranger.example.org';
const exposed =
  'ETag, Location, Allow, WWW-Authenticate, X-Request-Id, Retry-After, Content-Disposition, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Error-Code, Link';
const list = '/v1/api/academics/programs';

let open: TestServer;
let closed: TestServer;
beforeAll(async () => {
  [open, closed] = await Promise.all([
    startTestServer({ CORS_ORIGINS: `https://other.example.org:8443, ${dashboards}` }),
    startTestServer(),
  ]);
});
afterAll(() => Promise.all([open.close(), closed.close()]));

const preflight = (server: TestServer, path: string, origin: string) =>
  supertest(server.url)
    .options(path)
    .set('Origin', origin)
    .set('Access-Control-Request-Method', 'POST')
    .set('Access-Control-Request-Headers', 'content-type,x-api-key');

const send = (server: TestServer, origin?: string) => {
  const request = supertest(server.url).get(list).set('x-api-key', adminKey);
  return origin === undefined ? request : request.set('Origin', origin);
};

/** The CORS headers of a response. */
function corsHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

/** Responses to a preflight without a key and with one, and to a read. */
const toStranger = async (server: TestServer) => [
  await preflight(server, list, stranger),
  await preflight(server, list, stranger).set('x-api-key', adminKey),
  await send(server, stranger),
];

describe('a page of a listed origin', () => {
  it.each([list, '/graphql'])('passes the preflight of %s without a key', async (path) => {
    const { status, headers, text } = await preflight(open, path, dashboards);

    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(corsHeaders(headers)).toEqual({
      'access-control-allow-origin': dashboards,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers':
        'x-api-key, authorization, content-type, idempotency-key, if-none-match, last-event-id, x-request-id, traceparent, tracestate, baggage',
      'access-control-expose-headers': exposed,
      'access-control-max-age': '7200',
    });
    expect(headers).toMatchObject({ vary: 'Origin', 'x-request-id': expect.any(String) });
  });

  it('may read responses, cached ones too, but is not allowed credentials', async () => {
    for (const _ of ['uncached', 'cached']) {
      const { status, headers } = await send(open, dashboards);

      expect(status).toBe(200);
      expect(corsHeaders(headers)).toEqual({
        'access-control-allow-origin': dashboards,
        'access-control-expose-headers': exposed,
      });
      expect(headers['vary']).toBe('x-api-key, authorization, Origin');
    }
  });

  it('may read a 401', async () => {
    const { status, headers } = await supertest(open.url).get(list).set('Origin', dashboards);

    expect(status).toBe(401);
    expect(headers).toMatchObject({
      'access-control-allow-origin': dashboards,
      'cache-control': 'private, no-cache',
      vary: 'x-api-key, authorization, Origin',
    });
  });
});

describe('a page of another origin', () => {
  it('gets no CORS headers, and its preflight a 204, with or without a key, when origins are configured', async () => {
    const responses = await toStranger(open);
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 200]);
    for (const { headers } of responses) expect(corsHeaders(headers)).toEqual({});
  });

  it('gets no CORS headers, and its preflight a 401 or a 405, when no origins are configured', async () => {
    const responses = await toStranger(closed);
    expect(responses.map(({ status }) => status)).toEqual([401, 405, 200]);
    for (const { headers } of responses) expect(corsHeaders(headers)).toEqual({});
  });
});

describe('a request without Origin', () => {
  it('varies by Origin only when origins are configured', async () => {
    expect((await send(open)).headers['vary']).toBe('x-api-key, authorization, Origin');
    expect((await send(closed)).headers['vary']).toBe('x-api-key, authorization');
    expect((await supertest(open.url).get('/livez')).headers['vary']).toBe('Origin');
    expect((await supertest(closed.url).get('/livez')).headers['vary']).toBeUndefined();
  });

  it('gets a 405 for OPTIONS that is not a preflight', async () => {
    expect((await open.rest('options', '/api/academics/programs').set('Origin', dashboards)).status).toBe(405);
  });
});
