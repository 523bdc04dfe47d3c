import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createCors, privateHeadersFor, setHeaders } from '../../src/responses/headers.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const listed = 'https://dashboards.example.org';
const stranger = 'https://stranger.example.org';
const exposed =
  'ETag, Location, Allow, WWW-Authenticate, X-Request-Id, Retry-After, Content-Disposition, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Error-Code, X-Ignored, Link';

const serverFor = (origins: readonly string[] | undefined) =>
  useTinyServer((app) => {
    const crossOrigin = { origins, credentialHeaders: ['x-key'], methods: ['GET', 'HEAD', 'POST'] };
    const cors = createCors(crossOrigin);
    app.use((request, response, next) => {
      cors.setHeaders(request, response);
      next();
    });
    app.use(cors.preflight);
    app.get('/public', (_request, response) => void response.send('public'));
    app.use(setHeaders(privateHeadersFor(crossOrigin)), ({ method }, response) => {
      response.status(method === 'GET' ? 200 : 405).send('private');
    });
  });
const open = serverFor(['https://other.example.org:8443', listed]);
const closed = serverFor(undefined);

const preflight = (server: { url: string }, origin: string) =>
  supertest(server.url)
    .options('/private')
    .set({ Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-key' });

/** The CORS headers of a response. */
function corsHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

describe('a page of a listed origin', () => {
  it('passes the preflight', async () => {
    const { status, headers, text } = await preflight(open, listed);

    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers['vary']).toBe('Origin');
    expect(corsHeaders(headers)).toEqual({
      'access-control-allow-origin': listed,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers':
        'x-key, content-type, idempotency-key, if-none-match, last-event-id, x-request-id, traceparent, tracestate, baggage',
      'access-control-expose-headers': exposed,
      'access-control-max-age': '7200',
    });
  });

  it('may read responses, but is not allowed credentials', async () => {
    const { headers } = await supertest(open.url).get('/private').set('Origin', listed);

    expect(corsHeaders(headers)).toEqual({
      'access-control-allow-origin': listed,
      'access-control-expose-headers': exposed,
    });
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'x-key, Origin' });
  });
});

it.each([
  ['with listed origins', open, 204],
  ['without', closed, 405],
])('a page of another origin gets no CORS headers %s', async (_how, server, status) => {
  const responses = [
    await preflight(server, stranger),
    await supertest(server.url).get('/private').set('Origin', stranger),
  ];
  expect(responses.map((response) => response.status)).toEqual([status, 200]);
  for (const { headers } of responses) expect(corsHeaders(headers)).toEqual({});
});

describe('a request without Origin', () => {
  it('varies by Origin only when origins are configured', async () => {
    const varyOf = async ({ url }: { url: string }, path: string) => (await supertest(url).get(path)).headers['vary'];
    expect([await varyOf(open, '/private'), await varyOf(open, '/public')]).toEqual(['x-key, Origin', 'Origin']);
    expect([await varyOf(closed, '/private'), await varyOf(closed, '/public')]).toEqual(['x-key', undefined]);
  });

  it('is no preflight, nor is an OPTIONS without a method that it asks for', async () => {
    const preflighted = supertest(open.url).options('/private').set('Access-Control-Request-Method', 'POST');
    expect((await preflighted).status).toBe(405);
    expect((await supertest(open.url).options('/private').set('Origin', listed)).status).toBe(405);
  });
});
