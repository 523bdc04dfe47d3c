import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/observability/version.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  supertest(server.url)
    .get(path)
    .set({ 'accept-encoding': 'identity', ...headers });
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const pages = [
  ['/', {}],
  ['/docs', {}],
  ['/docs/rest', {}],
  ['/docs/contract', {}],
  ['/graphql', browser],
] as const;

describe.each(pages)('the page %s', (path, headers) => {
  it('needs no key', async () => {
    const reply = await get(path, headers);

    expect(reply.status).toBe(200);
    expect(reply.type).toBe('text/html');
    expect(reply.text).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  it('allows only its own origin, and no inline code except in GraphiQL', async () => {
    const { headers: sent, text } = await get(path, headers);
    const policy = String(sent['content-security-policy']);

    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy.includes("'unsafe-inline'")).toBe(path === '/graphql');
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    for (const [, address] of text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)) {
      expect(address).toMatch(/^\/assets\//);
    }
  });

  it('is revalidated, with a 304 while it is unchanged', async () => {
    const { headers: sent } = await get(path, headers);
    const again = await get(path, { ...headers, 'if-none-match': String(sent['etag']) });

    expect(sent['etag']).toMatch(/^"[\w-]+"$/);
    expect(sent['cache-control']).toBe('no-cache');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has immutable assets, compressed for clients that accept gzip', async () => {
    const { text } = await get(path, headers);
    const addresses = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address);

    expect(addresses.length).toBeGreaterThanOrEqual(3);
    for (const address of addresses) {
      const plain = await get(address).buffer(true);
      const compressed = await get(address, { 'accept-encoding': 'gzip' });
      expect(plain.status).toBe(200);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(compressed.headers['vary']).toBe('Accept-Encoding');
      expect(compressed.headers['etag']).not.toBe(plain.headers['etag']);
    }
  });
});

describe('/', () => {
  it('names the service and its version and links to every page', async () => {
    const { text } = await get('/');

    expect(text).toContain('The academic structure of a university');
    expect(text).toContain(`<dd>${version}</dd>`);
    for (const path of ['/docs', '/graphql', '/openapi.json', '/metrics', '/readyz', '/livez']) {
      expect(text).toContain(`href="${path}"`);
    }
  });

  it('does not link to metrics when METRICS_PORT is set', async () => {
    const other = await startTestServer({ METRICS_PORT: '0' });
    const { text } = await supertest(other.url).get('/');
    await other.close();

    expect(text).not.toContain('/metrics');
  });
});

describe('the OpenAPI document', () => {
  const committed = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const servedAt = (origin: string) => ({
    ...committed,
    servers: [{ url: `${origin}/v1`, description: 'This service.' }],
  });

  it('is the committed one, with the server that it was fetched from', async () => {
    const { type, body } = await get('/openapi.json');

    expect(type).toBe('application/json');
    expect(body).toEqual(servedAt(server.url));
  });

  it('is served as YAML too', async () => {
    const { type, text } = await get('/openapi.yaml').buffer(true);

    expect(type).toBe('application/yaml');
    expect(parse(text)).toEqual(servedAt(server.url));
    expect(text).toMatch(/^openapi: 3\.1\.1\ninfo:\n {2}title: /);
  });

  it('names the host of the request, and none that is no host', async () => {
    expect((await get('/openapi.json', { host: 'api.example.org' })).body).toEqual(servedAt('http://api.example.org'));
    expect((await get('/openapi.json', { host: 'a"b/<script>' })).body).toEqual(committed);
  });

  it('names the address that was requested from a trusted proxy', async () => {
    const behind = await startTestServer({ TRUSTED_PROXY_HOPS: '1' });
    const { body } = await supertest(behind.url)
      .get('/openapi.json')
      .set({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.org' });
    await behind.close();

    expect(body).toEqual(servedAt('https://api.example.org'));
  });
});

describe('/graphql', () => {
  it('serves GraphiQL to browsers only', async () => {
    const page = await get('/graphql?query=%7Bping%7Bstatus%7D%7D', browser);
    const rejected = await get('/graphql?query=%7Bping%7Bstatus%7D%7D');

    expect(page.text).toContain('<title>GraphiQL · Academic Structure Service</title>');
    expect(page.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(rejected.status).toBe(401);
  });

  it.each([
    ['text/html', 200],
    ['text/html, application/json', 200],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 200],
    ['application/json, text/html', 401],
    ['application/json, text/html;q=0.9', 401],
    ['text/html;q=0', 401],
    ['text/html;q=0, */*', 401],
    ['*/*', 401],
    ['', 401],
  ])('responds to Accept: "%s" with %d', async (accept, status) => {
    expect((await get('/graphql', { accept })).status).toBe(status);
  });
});

describe('/console', () => {
  const pathsIn = (page: string): string[] =>
    Array.from(page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g), ([, path = '']) => path);

  it.each(['/console', '/console/programs', '/console/programs/42?q=law', '/console/no/such/screen'])(
    'is a page under the strict policy at %s',
    async (path) => {
      const { status, text, headers } = await get(path);

      expect(status).toBe(200);
      expect(text).toContain('<title>Console · Academic Structure</title>');
      expect(headers['content-security-policy']).toBe((await get('/')).headers['content-security-policy']);
      expect(headers['cache-control']).toBe('no-cache');
    },
  );

  it('has nothing inline, and files that may be cached for ever, compressed in advance', async () => {
    const { text } = await get('/console');
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)/);

    const paths = pathsIn(text);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const [brotli, gzipped, plain] = await Promise.all(
        ['br, gzip', 'gzip', 'identity'].map((encoding) =>
          fetch(server.url + path, { headers: { 'accept-encoding': encoding } }),
        ),
      );
      const seen = [brotli, gzipped, plain].map((response) => response?.headers.get('content-encoding'));
      expect(seen).toEqual(['br', 'gzip', null]);
      expect(brotli?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await brotli?.text()).toBe(await plain?.text());
    }
  });

  it('has no page for a file of another version', async () => {
    expect((await get('/console/assets/main-00000000.js')).status).toBe(404);
  });
});

describe('assets', () => {
  it('are revalidated when requested by their plain name', async () => {
    const { status, headers } = await get('/assets/site.css');

    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  it.each(['/assets/none.css', '/assets/..%2fpackage.json', '/assets/tsconfig.json', '/assets/graphiql/none.js'])(
    'that do not exist get a 404: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('decompress to the original', async () => {
    const plain = await get('/assets/docs.css').buffer(true);
    const response = await fetch(`${server.url}/assets/docs.css`, { headers: { 'accept-encoding': 'gzip' } });

    // Fetch has decompressed it.
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(plain.text);
  });

  it('include the favicon', async () => {
    const { status, type } = await get('/favicon.ico');

    expect([status, type]).toEqual([200, 'image/x-icon']);
  });
});

describe('an unknown address', () => {
  it('is a page with a way home for a browser', async () => {
    const { status, type, headers, text } = await get('/programs/', browser);

    expect([status, type]).toEqual([404, 'text/html']);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(text).toContain('There is no such page');
    for (const path of ['/', '/docs', '/graphql']) expect(text).toContain(`href="${path}"`);
  });

  it.each([
    ['a client that accepts JSON', () => get('/programs/', { accept: 'application/json' })],
    ['a client that accepts anything', () => get('/programs/')],
    ['a form that is sent', () => supertest(server.url).post('/programs/').set(browser)],
  ])('is JSON for %s', async (_who, request) => {
    const { status, body } = await request();

    expect([status, body]).toEqual([404, { message: 'There is no such path.' }]);
  });

  it('under /v1 is JSON for a browser too', async () => {
    const { status, body } = await server.rest('get', '/none').set(browser);

    expect([status, body]).toEqual([404, { message: 'There is no such path.' }]);
  });
});

it.each(['/console/%zz', '/assets/%zz', '/assets/graphiql/%E0%A4%A'])(
  'an address that cannot be decoded is no failure: %s',
  async (path) => {
    const { status } = await fetch(server.url + path);

    expect(status).toBe(path.startsWith('/console') ? 200 : 404);
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  },
);

describe.each([
  '/',
  '/docs',
  '/docs/graphql',
  '/console',
  '/console/programs/42',
  '/openapi.json',
  '/openapi.yaml',
  '/favicon.ico',
  '/assets/site.css',
  '/livez',
  '/readyz',
  '/metrics',
])('%s', (path) => {
  it('responds to HEAD without a body', async () => {
    const { status, text } = await supertest(server.url).head(path);

    expect([status, text]).toEqual([200, undefined]);
  });

  it.each(['POST', 'OPTIONS'])('rejects %s', async (method) => {
    const response = await fetch(server.url + path, { method });

    expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
      405,
      'GET, HEAD',
      { message: `${method} is not allowed here; use GET, HEAD.` },
    ]);
  });
});

describe.each(['/livez', '/readyz', '/metrics'])('%s', (path) => {
  it('is never cached', async () => {
    expect((await supertest(server.url).get(path)).headers['cache-control']).toBe('no-store');
  });
});
