import { type DatabaseProxy, openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import type { Response } from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeApiKey } from '../../src/auth/api-key.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeKey } from '../support/keys.ts';
import { within } from '../support/running-time.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const soonMs = 20_000;
const program = '/api/academics/programs/1';
const query = '{ program(id: 1) { name } }';

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
  proxy = await openDatabaseProxy(database.url);
  server = await startTestServer({ DATABASE_URL: proxy.url, STALE_IF_ERROR_SECONDS: '600' }, database);
});

afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.close();
});

afterEach(() => proxy.restore());

/** Waits until responses are cached again: without a database that is trusted, none is. */
async function cached(request: () => PromiseLike<Response>): Promise<Response> {
  return within(soonMs, async () => {
    expect((await request()).status).toBe(200);
    server.statements.length = 0;
    const response = await request();
    expect([response.status, response.headers['age'], server.statements]).toEqual([200, undefined, []]);
    return response;
  });
}

/** Longer than caches are trusted without a response of the database: no timer fires, nothing is read. */
function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const statusOf = async (request: () => PromiseLike<Response>): Promise<number> => (await request()).status;
const isUnavailable = (): Promise<void> =>
  within(soonMs, async () => expect((await server.rest('get', program)).headers['age']).toBeDefined());

describe('while the database is unavailable, and STALE_IF_ERROR_SECONDS is set,', () => {
  it.each(['cut', 'hang'] as const)('cached reads are served with their age (%s)', async (how) => {
    const requests = [
      () => server.rest('get', program),
      () => server.rest('head', program),
      () => server.graphql(query),
    ];
    const before: Response[] = [];
    for (const request of requests) before.push(await cached(request));
    await proxy[how]();
    await isUnavailable();

    for (const [index, request] of requests.entries()) {
      const { status, headers, text } = await request();
      expect([status, text]).toEqual([200, before[index]?.text]);
      expect(headers).toMatchObject({
        age: expect.stringMatching(/^\d+$/),
        'cache-control': 'private, no-cache, stale-if-error=600',
      });
    }
    const tag: string = before[0]?.headers['etag'] ?? '';
    expect((await server.rest('get', program).set('If-None-Match', tag)).status).toBe(304);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^response_cache_lookups_total\{result="stale"\} [1-9]/m);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);

    await proxy.restore();
    await cached(() => server.rest('get', program));
  });

  it.each(['cut', 'hang'] as const)('no cached read fails before that begins (%s)', async (how) => {
    await cached(() => server.rest('get', program));
    await proxy[how]();

    let response: Response;
    do {
      response = await server.rest('get', program);
      expect(response.status).toBe(200);
    } while (response.headers['age'] === undefined);
  });

  it('nor after a pause of the process, in which it was not noticed', async () => {
    await cached(() => server.rest('get', program));
    proxy.hang();
    pauseProcess(1_000);

    const responses = await Promise.all([server.rest('get', program), server.graphql(query)]);
    expect(responses.map(({ status, headers }) => [status, headers['age']])).toEqual([
      [200, '1'],
      [200, '1'],
    ]);
  });

  it('what needs the database is a 503', async () => {
    await cached(() => server.rest('get', program));
    await proxy.cut();
    await isUnavailable();

    expect(
      await Promise.all([
        statusOf(() => server.rest('get', '/api/academics/programs/2')),
        statusOf(() => server.graphql('{ program(id: 1) { duration } }')),
        statusOf(() => server.rest('post', '/api/academics/programs').send({ name: 'Optics', duration: '4 Years' })),
        statusOf(() => server.rest('get', program, makeApiKey())),
      ]),
    ).toEqual([503, 503, 503, 503]);
  });

  it('a key that is known to be revoked is a 401', async () => {
    const key = await makeKey(database, { user: 'ada' });
    await cached(() => server.rest('get', program, key));
    await database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'ada'`,
    );
    await within(soonMs, async () => expect(await statusOf(() => server.rest('get', program, key))).toBe(401));
    await cached(() => server.rest('get', program));
    await proxy.cut();
    await isUnavailable();

    expect(await statusOf(() => server.rest('get', program, key))).toBe(401);
    expect(await statusOf(() => server.graphql(query, {}, key))).toBe(401);
  });

  it('a key is not served beyond its expiry', async () => {
    const key = await makeKey(database, { user: 'bob', expiresAt: new Date(Date.now() + 3_000) });
    await cached(() => server.rest('get', program));
    await statusOf(() => server.rest('get', program, key));
    await proxy.cut();
    await isUnavailable();

    await within(soonMs, async () => expect(await statusOf(() => server.rest('get', program, key))).toBe(503));
    expect(await statusOf(() => server.rest('get', program))).toBe(200);
  });

  it('what the instance itself has changed is not served', async () => {
    await cached(() => server.graphql(query));
    await cached(() => server.rest('get', '/ping'));
    await server.graphql('mutation { updateProgram(id: 1, input: { name: "Optics" }) { id } }');
    await proxy.cut();
    await within(soonMs, async () => expect((await server.rest('get', '/ping')).headers['age']).toBeDefined());

    expect(await statusOf(() => server.graphql(query))).toBe(503);
  });
});

it('while polls fail for another reason, reads are executed, and wait for nothing', async () => {
  const other = await startTestServer({ STALE_IF_ERROR_SECONDS: '600' });
  onTestFinished(() => other.close());
  const { body } = await other.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
  const request = () => other.rest('get', `/api/academics/programs/${body.id}`);
  await request();
  await other.database.query(`INSERT INTO change_log (records) VALUES ('"of another version"')`);

  await within(soonMs, async () => {
    other.statements.length = 0;
    const { status, headers } = await request();
    expect([status, headers['age']]).toEqual([200, undefined]);
    expect(other.statements).not.toEqual([]);
  });
});

it.each(['0', '1'])('with STALE_IF_ERROR_SECONDS=%s, reads end in 503', async (seconds) => {
  const wire = await openDatabaseProxy(database.url);
  onTestFinished(wire.close);
  const other = await startTestServer({ DATABASE_URL: wire.url, STALE_IF_ERROR_SECONDS: seconds }, database);
  onTestFinished(() => other.close());
  const request = () => other.rest('get', program, adminKey);
  expect((await request()).headers['cache-control']).toBe('private, no-cache');
  await wire.cut();

  await within(soonMs, async () => expect(await statusOf(request)).toBe(503));
  // It stays so.
  for (let count = 0; count < 5; count += 1) expect(await statusOf(request)).toBe(503);
});
