import { createServer, type Server } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import { createKeptResults, type KeptResults } from '../../src/cache/kept-results.ts';
import { resultKey } from '../../src/cache/key.ts';
import { createEpochs } from '../../src/database/epochs.ts';
import { createFrontDesk } from '../../src/front-desk/front-desk.ts';
import { graphqlKey } from '../../src/graphql/asked.ts';
import { prepareOperation } from '../../src/graphql/operation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { contentOf } from '../../src/http/content.ts';
import { bodyOf } from '../../src/http/json-body.ts';
import { unlockedFieldsFor } from '../../src/http/security-headers.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { createRateLimit } from '../../src/operations/rate-limit.ts';
import { understand } from '../../src/rest/read.ts';
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

let kept: KeptResults;
let server: Server;
let url: string;

beforeEach(async () => {
  const epochs = createEpochs();
  const changes = { hears: () => true, epoch: epochs.now, touchedSince: epochs.touchedSince };
  kept = createKeptResults({ changes, bytesMost: 1_000_000, count: () => undefined });
  const desk = createFrontDesk({
    schema,
    recognize: (_connection, apiKey) => (apiKey === 'known' ? viewer : undefined),
    kept,
    metrics: createMetrics('0.0.0'),
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000,
    unlockedFields: unlockedFieldsFor(false),
    rateLimit: createRateLimit(undefined),
    handOn: (request, response) => {
      const known = bodyOf(request);
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

const keep = (key: string) => kept.keep(key, contentOf('"kept"'), { epoch: kept.begin(), programs: new Set([1]) });
const ask = async (path: string, init: RequestInit = {}) =>
  (await fetch(url + path, { ...init, headers: { 'x-api-key': 'known', ...init.headers } })).text();
const post = (body: string, headers: Record<string, string> = {}) =>
  ask('/graphql', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('the front desk answers', () => {
  it('a GET of REST that is kept for what the caller may see', async () => {
    keep(resultKey('/api/academics/programs/:id', '{"id":1}', viewer));

    expect(await ask(address)).toBe('"kept"');
    expect(await ask(`${address}?unknown=1`)).toBe('"kept"');
  });

  it('a page by its number and size, however they are written', async () => {
    const route = routes.find(({ input }) => input === 'query');
    if (route === undefined) throw new Error('No row takes a query.');
    const operation = prepareOperation(schema, route.document);
    keep(understand(route, operation, { id: '', query: 'page=2&size=20' }).keyFor(viewer));

    expect(await ask('/v1/api/academics/programs?page=2')).toBe('"kept"');
    expect(await ask('/v1/api/academics/programs?size=20&page=2')).toBe('"kept"');
    expect(await ask('/v1/api/academics/programs')).toBe('handed on: ');
  });

  it('a document that was sent to GraphQL before, byte for byte', async () => {
    keep(graphqlKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document)).toBe('"kept"');
    expect(await post(` ${document}`)).toBe(`handed on:  ${document}`);
  });
});

describe('the front desk hands on', () => {
  it('who is not recognized, and who may see something else', async () => {
    keep(resultKey('/api/academics/programs/:id', '{"id":1}', { ...viewer, permissions: new Set() }));
    keep(resultKey('/api/academics/programs/:id', '{"id":1}', { ...viewer, active: false }));

    expect(await ask(address)).toBe('handed on: ');
    expect(await ask(address, { headers: { 'x-api-key': 'unknown' } })).toBe('handed on: ');
  });

  it('other ways to write an address', async () => {
    keep(resultKey('/api/academics/programs/:id', '{"id":1}', viewer));

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
    keep(graphqlKey({ method: 'POST', address: '/graphql', body: Buffer.from(document) }, viewer));

    expect(await post(document, headers)).toBe(`handed on: ${document}`);
  });

  it('a body that is too large, unread', async () => {
    const large = JSON.stringify({ query: `{ ping { status } } #${'x'.repeat(1_000)}` });
    keep(graphqlKey({ method: 'POST', address: '/graphql', body: Buffer.from(large) }, viewer));

    expect(await post(large)).toBe(`handed on: ${large}`);
  });
});
