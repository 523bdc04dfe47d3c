import { createServer, type Server } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import { cacheKey } from '../../src/cache/key.ts';
import { createResponseCache, type ResponseCache } from '../../src/cache/response-cache.ts';
import { createEpochs } from '../../src/database/change-log/epochs.ts';
import { createFastPath } from '../../src/fast-path/fast-path.ts';
import { prepareOperation } from '../../src/graphql/execution/operation.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { graphqlCacheKey } from '../../src/graphql/server/cache-key.ts';
import { rawBodyOf } from '../../src/http/json-body.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { representationOf } from '../../src/http/representation.ts';
import { privateHeadersFor } from '../../src/http/security-headers.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { parseRead } from '../../src/rest/read-endpoint.ts';
import { routes } from '../../src/rest/routes.ts';

const viewer: Caller = {
  name: 'a viewer',
  active: true,
  permissions: new Set(['programs:read']),
  readOnly: false,
  keyId: 1,
  expiresAt: null,
};
const document = JSON.stringify({ query: '{ program(id: 1) { name } }' });
const address = '/v1/api/academics/programs/1';

let responseCache: ResponseCache;
let server: Server;
let url: string;

beforeEach(async () => {
  const epochs = createEpochs();
  const changes = { isLive: () => true, epoch: epochs.current, touchedSince: epochs.touchedSince };
  responseCache = createResponseCache({ changes, bytesMax: 1_000_000, count: () => undefined });
  const desk = createFastPath({
    schema,
    authenticateCached: (_connection, apiKey) => (apiKey === 'known' ? viewer : undefined),
    responseCache,
    metrics: createMetrics('0.0.0'),
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000,
    privateHeaders: privateHeadersFor(false),
    rateLimit: createRateLimit(undefined),
    fallback: (request, response) => {
      const known = rawBodyOf(request);
      const parts: Buffer[] = [];
      if (known !== undefined) parts.push(known);
      request.on('data', (part: Buffer) => parts.push(part));
      if (request.readableEnded) response.end(`handed on: ${Buffer.concat(parts)}`);
      else request.on('end', () => response.end(`handed on: ${Buffer.concat(parts)}`));
    },
  });
  server = createServer(desk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});

afterEach(() => {
  server.close();
});

const keep = (key: string) =>
  responseCache.set(key, representationOf('"kept"'), { epoch: responseCache.epoch(), programs: new Set([1]) });
const ask = async (path: string, init: RequestInit = {}) =>
  (await fetch(url + path, { ...init, headers: { 'x-api-key': 'known', ...init.headers } })).text();
const post = (body: string, headers: Record<string, string> = {}) =>
  ask('/graphql', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('the front desk answers', () => {
  it('a GET of REST that is kept for what the caller may see', async () => {
    keep(cacheKey('/api/academics/programs/:id', '{"id":1}', viewer));

    expect(await ask(address)).toBe('"kept"');
    expect(await ask(`${address}?unknown=1`)).toBe('"kept"');
  });

  it('a page by its number and size, however they are written', async () => {
    const route = routes.find(({ input }) => input === 'query');
    if (route === undefined) throw new Error('No row takes a query.');
    const operation = prepareOperation(schema, route.document);
    keep(parseRead(route, operation, { id: '', query: 'page=2&size=20' }).keyFor(viewer));

    expect(await ask('/v1/api/academics/programs?page=2')).toBe('"kept"');
    expect(await ask('/v1/api/academics/programs?size=20&page=2')).toBe('"kept"');
    expect(await ask('/v1/api/academics/programs')).toBe('handed on: ');
  });

  it('a document that was sent to GraphQL before, byte for byte', async () => {
    keep(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document)).toBe('"kept"');
    expect(await post(` ${document}`)).toBe(`handed on:  ${document}`);
  });
});

describe('the front desk hands on', () => {
  it('who is not recognized, and who may see something else', async () => {
    keep(cacheKey('/api/academics/programs/:id', '{"id":1}', { ...viewer, permissions: new Set() }));
    keep(cacheKey('/api/academics/programs/:id', '{"id":1}', { ...viewer, active: false }));

    expect(await ask(address)).toBe('handed on: ');
    expect(await ask(address, { headers: { 'x-api-key': 'unknown' } })).toBe('handed on: ');
  });

  it('other ways to write an address', async () => {
    keep(cacheKey('/api/academics/programs/:id', '{"id":1}', viewer));

    for (const path of ['%31', '01', '1/', ':id', '2147483648']) {
      expect(await ask(`/v1/api/academics/programs/${path}`)).toBe('handed on: ');
    }
  });

  it.each([
    ['with an Idempotency-Key', { 'idempotency-key': 'one' }],
    ['for events alone', { accept: 'text/event-stream' }],
    ['for a page', { accept: 'text/html' }],
    ['of another media type', { 'content-type': 'text/plain' }],
    ['encoded', { 'content-encoding': 'identity' }],
  ])('a document %s, with its body', async (_how, headers) => {
    keep(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document, headers)).toBe(`handed on: ${document}`);
  });

  it('a body that is too large, unread', async () => {
    const large = JSON.stringify({ query: `{ ping { status } } #${'x'.repeat(1_000)}` });
    keep(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(large) }, viewer));

    expect(await post(large)).toBe(`handed on: ${large}`);
  });
});
