import { createServer, type Server } from 'node:http';
import { createEpochs, createSnapshots } from '@service/change-log/epochs';
import { createByteBudget } from '@service/http/byte-budget';
import { privateHeadersFor } from '@service/http/headers';
import { rawBodyOf } from '@service/http/json-body';
import { createRateLimit } from '@service/http/rate-limit';
import { representationOf } from '@service/http/representation';
import { Sharers } from '@service/postgres/limits';
import { createMetrics } from '@service/telemetry/metrics';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResponseCache, type ResponseCache } from '../../src/cache/response-cache.ts';
import { createPostMatcher } from '../../src/doors/cacheable-graphql.ts';
import { createFastPath } from '../../src/doors/fast-path.ts';
import { readOf } from '../../src/doors/rest/read.ts';
import { routes } from '../../src/doors/rest/routes.ts';
import { cacheKey, graphqlCacheKey } from '../../src/operations/cache-keys.ts';
import type { Caller } from '../../src/operations/caller.ts';
import { rightsOf } from '../../src/validation/permissions.ts';
import { onPrograms } from '../cache/dependencies.ts';

const viewer: Caller = {
  userId: null,
  name: 'a viewer',
  active: true,
  ...rightsOf('viewer'),
  readOnly: false,
  keyId: 1,
  expiresAt: null,
};
const document = JSON.stringify({ query: '{ program(id: 1) { name } }' });
const address = '/v1/api/academics/programs/1';

let responseCache: ResponseCache;
/** Whether caches are trusted. */
let isLive: boolean;
/** Runs when a caller has been identified. */
let onIdentified: () => void;
let server: Server;
let url: string;

beforeEach(async () => {
  const epochs = createEpochs();
  isLive = true;
  onIdentified = () => undefined;
  const changes = { snapshot: createSnapshots(epochs, () => isLive) };
  responseCache = createResponseCache({ changes, bytesMax: 1_000_000, count: () => undefined });
  const fastPath = createFastPath({
    prefix: '',
    matchPost: createPostMatcher(() => undefined, 1_000),
    stateOfRead: () => {
      throw new Error('Nothing is executed without a slot.');
    },
    admission: { tryAcquire: () => false },
    slowClients: createByteBudget(1_000_000),
    authenticateCached: (apiKey) => {
      if (apiKey !== 'known' || !isLive) return undefined;
      onIdentified();
      return viewer;
    },
    responseCache,
    metrics: createMetrics({ version: '0.0.0', credentialReasons: [] }),
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000,
    privateHeaders: privateHeadersFor({ origins: undefined, credentialHeaders: ['x-api-key', 'authorization'] }),
    rateLimit: createRateLimit(undefined, () => undefined),
    fallback: (request, response) => {
      const known = rawBodyOf(request);
      const parts: Buffer[] = [];
      if (known !== undefined) parts.push(known);
      request.on('data', (part: Buffer) => parts.push(part));
      if (request.readableEnded) response.end(`fallback: ${Buffer.concat(parts)}`);
      else request.on('end', () => response.end(`fallback: ${Buffer.concat(parts)}`));
    },
  });
  server = createServer(fastPath);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});

afterEach(() => {
  server.close();
});

const cache = (key: string) => {
  const content = representationOf('"cached"');
  return responseCache.readThrough(key, new Sharers('anybody'), async () => ({ content, dependencies: onPrograms(1) }));
};
const send = async (path: string, init: RequestInit = {}) =>
  (await fetch(url + path, { ...init, headers: { 'x-api-key': 'known', ...init.headers } })).text();
const post = (body: string, headers: Record<string, string> = {}) =>
  send('/graphql', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('the fast path serves from the cache', () => {
  it('a REST read that is cached for callers with the same permissions', async () => {
    await cache(cacheKey('/api/academics/programs/:id', '1', viewer));

    expect(await send(address)).toBe('"cached"');
    const named = await fetch(`${url}${address}?unknown=1`, { headers: { 'x-api-key': 'known' } });
    expect([await named.text(), named.headers.get('x-ignored')]).toEqual(['"cached"', 'unknown']);
  });

  it('a page of programs, whatever the order of its query parameters', async () => {
    const route = routes.find((one) => one.name === 'ListPrograms');
    if (route?.method !== 'GET') throw new Error('No endpoint lists programs.');
    await cache(readOf(route, { id: '', query: 'page=2&size=20' }).keyFor(viewer));

    expect(await send('/v1/api/academics/programs?page=2&size=20')).toBe('"cached"');
    expect(await send('/v1/api/academics/programs?size=20&page=2')).toBe('"cached"');
    expect(await send('/v1/api/academics/programs')).toBe('fallback: ');
  });

  it('a GraphQL request with exactly the same bytes as an earlier one', async () => {
    await cache(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document)).toBe('"cached"');
    expect(await post(` ${document}`)).toBe(`fallback:  ${document}`);
  });
});

it('a read whose caches are no longer trusted is left to the application', async () => {
  await cache(cacheKey('/api/academics/programs/:id', '1', viewer));
  // Between the lookups of the caller and of the response.
  onIdentified = () => {
    isLive = false;
  };

  expect(await send(address)).toBe('fallback: ');
});

describe('the fast path leaves to the application', () => {
  it.each([
    ['with an Idempotency-Key', { 'idempotency-key': 'one' }],
    ['that accepts only an event stream', { accept: 'text/event-stream' }],
  ])('a GraphQL request %s, with its body', async (_how, headers) => {
    await cache(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document, headers)).toBe(`fallback: ${document}`);
  });

  it('a body over the size limit, without consuming it', async () => {
    const large = JSON.stringify({ query: `{ ping { status } } #${'x'.repeat(1_000)}` });
    await cache(graphqlCacheKey({ method: 'POST', address: '/graphql', body: Buffer.from(large) }, viewer));

    expect(await post(large)).toBe(`fallback: ${large}`);
  });
});
