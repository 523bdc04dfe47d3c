import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const dashboards = 'https://dashboards.example.org';
const stranger = 'https://stranger.example.org';
const exposed =
  'ETag, Location, Allow, WWW-Authenticate, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed';
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

const ask = (server: TestServer, origin?: string) => {
  const request = supertest(server.url).get(list).set('x-api-key', adminKey);
  return origin === undefined ? request : request.set('Origin', origin);
};

/** The headers of an answer that speak to browsers of other origins. */
function corsHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

describe('a page of a listed origin', () => {
  it.each([list, '/graphql'])('may ask, and needs no key to find that out: %s', async (path) => {
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

  it('may read answers, kept ones too, and is named in none without credentials', async () => {
    for (const _ of ['made', 'kept']) {
      const { status, headers } = await ask(open, dashboards);

      expect(status).toBe(200);
      expect(corsHeaders(headers)).toEqual({
        'access-control-allow-origin': dashboards,
        'access-control-expose-headers': exposed,
      });
      expect(headers['vary']).toBe('x-api-key, authorization, Origin');
    }
  });

  it('may read refusals', async () => {
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
  it.each([
    ['when origins are listed', () => open],
    ['when none are', () => closed],
  ])('may not ask: %s', async (_when, server) => {
    const asked = await preflight(server(), list, stranger);
    const withKey = await preflight(server(), list, stranger).set('x-api-key', adminKey);
    const answer = await ask(server(), stranger);

    expect([asked.status, withKey.status, answer.status]).toEqual([401, 405, 200]);
    for (const { headers } of [asked, withKey, answer]) expect(corsHeaders(headers)).toEqual({});
  });
});

describe('an answer to no page', () => {
  it('says that it would differ by origin only where that is so', async () => {
    expect((await ask(open)).headers['vary']).toBe('x-api-key, authorization, Origin');
    expect((await ask(closed)).headers['vary']).toBe('x-api-key, authorization');
    expect((await supertest(open.url).get('/livez')).headers['vary']).toBe('Origin');
    expect((await supertest(closed.url).get('/livez')).headers['vary']).toBeUndefined();
  });

  it('is a 405 to OPTIONS that is no question of a browser', async () => {
    expect((await open.rest('options', '/api/academics/programs').set('Origin', dashboards)).status).toBe(405);
  });
});
