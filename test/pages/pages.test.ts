import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/installation.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}) =>
  supertest(server.url)
    .get(path)
    .set({ 'accept-encoding': 'identity', ...headers });
/** The paths of files that a page names; links are relative. */
const assetsOf = (text: string, path: string): string[] =>
  Array.from(text.matchAll(/(?:"|&quot;)((?:\.{1,2}\/)*assets\/[^"&]+)/g), ([, address = '']) => {
    const [, base = path] = /<base href="([^"]+)"/.exec(text) ?? [];
    return new URL(address, new URL(base, server.url + path)).pathname;
  });

/** Expects a page or file in each form that clients accept, each with an entity tag of its own. */
async function expectEncoded(path: string, headers: Record<string, string> = {}): Promise<void> {
  const replies = await Promise.all(
    ['br, gzip', 'gzip', 'identity'].map((encoding) =>
      fetch(server.url + path, { headers: { ...headers, 'accept-encoding': encoding } }),
    ),
  );
  const seen = replies.map((reply) => [
    reply.headers.get('content-encoding'),
    reply.headers.get('vary')?.endsWith('Accept-Encoding'),
  ]);
  expect(seen).toEqual(['br', 'gzip', null].map((encoding) => [encoding, true]));
  expect(new Set(replies.map((reply) => reply.headers.get('etag'))).size).toBe(3);
  // Fetch has decompressed them.
  expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1);
}

describe.each(['/', '/docs', '/docs/rest', '/graphql', '/console', '/console/programs/42?q=law', '/console/no/such'])(
  'the page %s',
  (path) => {
    it('needs no key, allows only its own origin, and is revalidated', async () => {
      const { status, type, text, headers } = await get(path, browser);
      const again = await get(path, { ...browser, 'if-none-match': String(headers['etag']) });
      const policy = String(headers['content-security-policy']);

      expect([status, type, again.status, again.text]).toEqual([200, 'text/html', 304, '']);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/i);
      expect(headers['cache-control']).toBe('no-cache');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy.includes("'unsafe-inline'")).toBe(path === '/graphql');
      expect(policy).toContain(`base-uri '${path.startsWith('/console') ? 'self' : 'none'}'`);
      expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    });

    it('is sent as the client accepts it', () => expectEncoded(path, browser));

    it('has assets that may be cached for ever, the scripts that they import included', async () => {
      const addresses = new Set(assetsOf((await get(path, browser)).text, path));
      expect(addresses.size).toBeGreaterThan(1);
      // Those that are added meanwhile are visited, too.
      for (const address of addresses) {
        const response = await fetch(server.url + address);
        expect([address, response.status]).toEqual([address, 200]);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        const imports = (await response.text()).matchAll(/^(?:import|.* from) '(\.[^']+)';$/gm);
        for (const [, imported = ''] of imports) addresses.add(new URL(imported, server.url + address).pathname);
      }
      await expectEncoded([...addresses][0] ?? '');
    });
  },
);

it('every script of the console is valid', () => {
  const folder = 'console/dist/assets/';
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  // A bundler and a plugin that do not fit together write scripts that no browser reads.
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts) expect(parseAst(readFileSync(folder + name, 'utf8')), name).toBeDefined();
});

it('the front page names the version of the service and links to every page', async () => {
  const { text } = await get('/');
  expect(text).toContain(`<dd>${version}</dd>`);
  for (const path of ['docs', 'docs/start', 'console', 'graphql', 'openapi.json', 'readyz', 'livez'])
    expect(text).toContain(`href="${path}"`);
});

it('the OpenAPI document is the committed one, whose server is relative to its own address', async () => {
  const { type, text } = await get('/openapi.json').buffer(true);
  expect([type, text]).toEqual(['application/json', readFileSync('openapi.json', 'utf8')]);
  expect(JSON.parse(text).servers).toEqual([{ url: '/v1', description: 'This service.' }]);
});

it.each([
  ['text/html', 200],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 200],
  ['application/json, text/html', 401],
  ['text/html;q=0, */*', 401],
  ['', 401],
])('/graphql is GraphiQL for browsers only: Accept "%s" gets %d', async (accept, status) => {
  const response = await get('/graphql?query=%7Bping%7Bstatus%7D%7D', { accept });
  expect([response.status, response.type]).toEqual([status, status === 200 ? 'text/html' : 'application/json']);
});

it.each(['/assets/none.css', '/assets/..%2fpackage.json', '/assets/', '/graphiql', '/console/assets/main-00000000.js'])(
  '%s, which does not exist, is a 404',
  async (path) => expect((await get(path)).status).toBe(404),
);

it('the licences of what the service contains are there as a text and for programs', async () => {
  const [text, bill] = [await get('/licenses'), await get('/licenses/sbom.cdx.json')];
  expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect([bill.status, bill.body]).toMatchObject([200, { bomFormat: 'CycloneDX' }]);
});

it('an unknown address is a page with a way home for a browser, and JSON for all others', async () => {
  const { status, type, headers, text } = await get('/programs/', browser);
  expect([status, type]).toEqual([404, 'text/html']);
  expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' });
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  for (const path of ['./', 'docs/start', 'graphql']) expect(text).toContain(`href="${path}"`);

  for (const response of [
    await get('/programs/', { accept: 'application/json' }),
    await get('/programs/'),
    await supertest(server.url).post('/programs/').set(browser),
    await server.rest('get', '/none').set(browser),
  ]) {
    expect([response.status, response.body]).toEqual([404, { message: 'There is no such path.' }]);
  }
});

it.each(['/console/%zz', '/assets/%zz', '/docs/%E0%A4%A'])(
  'an address that cannot be decoded is no failure: %s',
  async (path) => {
    expect((await fetch(server.url + path)).status).toBe(path.startsWith('/console') ? 200 : 404);
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  },
);

it.each(['/', '/docs', '/console', '/openapi.json', '/favicon.ico', '/livez', '/readyz', '/metrics'])(
  '%s responds to HEAD without a body, and rejects other methods',
  async (path) => {
    const { status, text, headers } = await supertest(server.url).head(path);
    expect([status, text]).toEqual([200, undefined]);
    if (/z$|metrics/.test(path)) expect(headers['cache-control']).toBe('no-store');
    for (const method of ['POST', 'OPTIONS']) {
      const response = await fetch(server.url + path, { method });
      expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
        405,
        'GET, HEAD',
        { message: `${method} is not allowed here; use GET, HEAD.` },
      ]);
    }
  },
);

it('the metrics label a page by its path, and all assets alike', async () => {
  const [asset = ''] = assetsOf((await get('/docs/rest')).text, '/docs/rest');
  await get(asset);
  const { text: metrics } = await get('/metrics');
  expect(metrics).toMatch(/_count\{[^}]*route="\/docs\/rest"/);
  expect(metrics).toMatch(/_count\{[^}]*route="\/assets\/:name"/);
  expect(metrics).not.toContain(asset);
});
