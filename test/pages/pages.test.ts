import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  ['/graphql', browser],
] as const;

describe.each(pages)('the page %s', (path, headers) => {
  it('needs no key', async () => {
    const answer = await get(path, headers);

    expect(answer.status).toBe(200);
    expect(answer.type).toBe('text/html');
    expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  it('allows nothing from another host, and nothing inline', async () => {
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

  it('is asked for again, and answered without a body while it is the same', async () => {
    const { headers: sent } = await get(path, headers);
    const again = await get(path, { ...headers, 'if-none-match': String(sent['etag']) });

    expect(sent['etag']).toMatch(/^"[\w-]+"$/);
    expect(sent['cache-control']).toBe('no-cache');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has files that may be kept for ever, compressed for whom it may concern', async () => {
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
  it('says what this is, which version, and where everything is', async () => {
    const { text } = await get('/');

    expect(text).toContain('The academic structure of a university');
    expect(text).toContain(`<dd>${version}</dd>`);
    for (const path of ['/docs', '/graphql', '/openapi.json', '/metrics', '/readyz', '/livez']) {
      expect(text).toContain(`href="${path}"`);
    }
  });

  it('does not point at metrics that have a port of their own', async () => {
    const other = await startTestServer({ METRICS_PORT: '0' });
    const { text } = await supertest(other.url).get('/');
    await other.close();

    expect(text).not.toContain('/metrics');
  });
});

describe('/openapi.json', () => {
  it('is the document that is committed', async () => {
    const { type, text } = await get('/openapi.json');

    expect(type).toBe('application/json');
    await expect(text).toMatchFileSnapshot('../../openapi.json');
  });
});

describe('/graphql', () => {
  it('is GraphiQL for browsers only', async () => {
    const page = await get('/graphql?query=%7Bping%7Bstatus%7D%7D', browser);
    const refused = await get('/graphql?query=%7Bping%7Bstatus%7D%7D');

    expect(page.text).toContain('<title>GraphiQL · Academic Structure Service</title>');
    expect(page.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(refused.status).toBe(401);
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
  ])('is for who accepts %s, with %d', async (accept, status) => {
    expect((await get('/graphql', { accept })).status).toBe(status);
  });
});

describe('files', () => {
  it('are answered by name too, then to be asked for again', async () => {
    const { status, headers } = await get('/assets/site.css');

    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  it.each(['/assets/none.css', '/assets/..%2fpackage.json', '/assets/tsconfig.json', '/assets/graphiql/none.js'])(
    'that are not there are not found: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('come back whole from their compressed form', async () => {
    const plain = await get('/assets/docs.css').buffer(true);
    const response = await fetch(`${server.url}/assets/docs.css`, { headers: { 'accept-encoding': 'gzip' } });

    // Fetch has decompressed it.
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(plain.text);
  });

  it('include an icon where browsers look for one', async () => {
    const { status, type } = await get('/favicon.ico');

    expect([status, type]).toEqual([200, 'image/svg+xml']);
  });
});

describe.each(['/', '/docs', '/openapi.json', '/favicon.ico', '/livez', '/readyz'])('%s', (path) => {
  it('answers HEAD without a body', async () => {
    const { status, text } = await supertest(server.url).head(path);

    expect([status, text]).toEqual([200, undefined]);
  });

  it('refuses other methods', async () => {
    const { status, headers, body } = await supertest(server.url).post(path);

    expect([status, headers['allow'], body]).toEqual([
      405,
      'GET, HEAD',
      { message: 'POST is not allowed here; use GET, HEAD.' },
    ]);
  });
});

describe.each(['/livez', '/readyz', '/metrics'])('%s', (path) => {
  it('is told anew each time', async () => {
    expect((await supertest(server.url).get(path)).headers['cache-control']).toBe('no-store');
  });
});
