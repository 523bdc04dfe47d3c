import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const dashboards = 'https://dashboards.example.org';
const exposed =
  'ETag, Location, Allow, WWW-Authenticate, X-Request-Id, Retry-After, Content-Disposition, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Error-Code, Link';
const list = '/v1/api/academics/programs';

const server = useServer({ CORS_ORIGINS: `https://other.example.org:8443, ${dashboards}` });

const preflight = (path: string, origin: string) =>
  supertest(server.url)
    .options(path)
    .set('Origin', origin)
    .set('Access-Control-Request-Method', 'POST')
    .set('Access-Control-Request-Headers', 'content-type,x-api-key');

/** The CORS headers of a response. */
function corsHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

describe('a page of a listed origin', () => {
  it.each([list, '/graphql'])('passes the preflight of %s without a key', async (path) => {
    const { status, headers, text } = await preflight(path, dashboards);

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
      const { status, headers } = await server.rest('get', '/api/academics/programs').set('Origin', dashboards);

      expect(status).toBe(200);
      expect(corsHeaders(headers)).toEqual({
        'access-control-allow-origin': dashboards,
        'access-control-expose-headers': exposed,
      });
      expect(headers['vary']).toBe('x-api-key, authorization, Origin');
    }
  });

  it('may read a 401', async () => {
    const { status, headers } = await supertest(server.url).get(list).set('Origin', dashboards);

    expect(status).toBe(401);
    expect(headers).toMatchObject({
      'access-control-allow-origin': dashboards,
      'cache-control': 'private, no-cache',
      vary: 'x-api-key, authorization, Origin',
    });
  });
});

it('a page of another origin gets no CORS headers, and its preflight a 204', async () => {
  const responses = [
    await preflight(list, 'https://stranger.example.org'),
    await server.rest('get', '/api/academics/programs').set('Origin', 'https://stranger.example.org'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([204, 200]);
  for (const { headers } of responses) expect(corsHeaders(headers)).toEqual({});
});
