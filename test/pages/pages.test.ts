import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/installation.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const get = (path: string, headers: Record<string, string> = {}) =>
  supertest(server.url)
    .get(path)
    .set({ 'accept-encoding': 'identity', ...headers });
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Links are relative. */
const firstAsset = /"(?:\.\.\/)?(assets\/[^"]+)"/;

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
      expect(new URL(address ?? '', server.url + path).pathname).toMatch(/^\/assets\//);
    }
  });

  it('is revalidated, with a 304 while it is unchanged', async () => {
    const { headers: sent } = await get(path, headers);
    const again = await get(path, { ...headers, 'if-none-match': String(sent['etag']) });

    expect(sent['etag']).toMatch(/^"[\w-]+"$/);
    expect(sent['cache-control']).toBe('no-cache');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has assets that may be cached for ever, the scripts that they import included', async () => {
    const { text } = await get(path, headers);
    const addresses = new Set(
      Array.from(
        text.matchAll(/(?:"|&quot;)((?:\.\.\/)*assets\/[^"&]+)/g),
        ([, address = '']) => new URL(address, server.url + path).pathname,
      ),
    );

    expect(addresses.size).toBeGreaterThanOrEqual(3);
    // Those that are added meanwhile are visited, too.
    for (const address of addresses) {
      const response = await fetch(server.url + address);
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(address).toMatch(/-[0-9a-f]{12}\.(?:css|js|svg)$/);
      const imports = (await response.text()).matchAll(/^(?:import|.* from) '(\.[^']+)';$/gm);
      for (const [, imported = ''] of imports) addresses.add(new URL(imported, server.url + address).pathname);
    }
  });

  it('is sent as the client accepts it, as are its assets, each form with an entity tag of its own', async () => {
    const [, asset = ''] = firstAsset.exec((await get(path, headers)).text) ?? [];
    for (const address of [path, `/${asset}`]) {
      const replies = await Promise.all(
        ['br, gzip', 'gzip', 'identity'].map((encoding) =>
          fetch(server.url + address, { headers: { ...headers, 'accept-encoding': encoding } }),
        ),
      );
      expect(replies.map((reply) => reply.headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
      expect(new Set(replies.map((reply) => reply.headers.get('etag'))).size).toBe(3);
      expect(replies.map((reply) => reply.headers.get('vary')?.endsWith('Accept-Encoding'))).toEqual([
        true,
        true,
        true,
      ]);
      // Fetch has decompressed them.
      expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1);
    }
  });
});

describe('/', () => {
  it('names the service and its version and links to every page', async () => {
    const { text } = await get('/');

    expect(text).toContain('The academic structure of a university');
    expect(text).toContain(`<dd>${version}</dd>`);
    for (const path of ['docs', 'graphql', 'openapi.json', 'readyz', 'livez']) {
      expect(text).toContain(`href="${path}"`);
    }
  });

  it('says where Prometheus finds the metrics', async () => {
    expect((await get('/')).text).toContain(
      '<code>/metrics</code>, on a port of its own when <code>METRICS_PORT</code>',
    );
  });
});

describe('the OpenAPI document', () => {
  it('is the committed one, whose server is relative to its own address', async () => {
    const { type, text } = await get('/openapi.json').buffer(true);

    expect(type).toBe('application/json');
    expect(text).toBe(readFileSync('openapi.json', 'utf8'));
    expect(JSON.parse(text).servers).toEqual([{ url: '/v1', description: 'This service.' }]);
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
    Array.from(page.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g), ([, path = '']) => `/console${path}`);

  it.each(['/console', '/console/programs', '/console/programs/42?q=law', '/console/no/such/screen'])(
    'is a page under the strict policy at %s',
    async (path) => {
      const { status, text, headers } = await get(path);

      expect(status).toBe(200);
      expect(text).toContain('<title>Console · Academic Structure</title>');
      const ofOthers = (await get('/')).headers['content-security-policy'];
      expect(headers['content-security-policy']).toBe(ofOthers?.replace("base-uri 'none'", "base-uri 'self'"));
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
  it.each(['/assets/none.css', '/assets/..%2fpackage.json', '/assets/site.css', '/assets/', '/not-found', '/graphiql'])(
    'that do not exist get a 404: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('include the licences of what the service contains, as a text and for programs', async () => {
    const text = await get('/licenses');
    const bill = await get('/licenses/sbom.cdx.json');

    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.text).toContain('Permission is hereby granted, free of charge');
    expect([bill.status, bill.body]).toMatchObject([200, { bomFormat: 'CycloneDX' }]);
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
    expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(text).toContain('There is no such page');
    for (const path of ['./', 'docs/start', 'graphql']) expect(text).toContain(`href="${path}"`);
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

it.each(['/console/%zz', '/assets/%zz', '/docs/%E0%A4%A'])(
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
  '/favicon.ico',
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

it('the metrics label a page by its path, and all assets alike', async () => {
  const { text } = await get('/docs/rest');
  const [, asset = ''] = firstAsset.exec(text) ?? [];
  await get(`/${asset}`);

  const { text: metrics } = await get('/metrics');
  expect(metrics).toMatch(/_count\{[^}]*route="\/docs\/rest"/);
  expect(metrics).toMatch(/_count\{[^}]*route="\/assets\/:name"/);
  expect(metrics).not.toContain(asset);
});

describe.each(['/livez', '/readyz', '/metrics'])('%s', (path) => {
  it('is never cached', async () => {
    expect((await supertest(server.url).get(path)).headers['cache-control']).toBe('no-store');
  });
});
