import type { Test } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const list = '/api/academics/programs';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_PER_MINUTE: '3' });
});
afterAll(() => server.close());

const seconds = /^\d+$/;

async function told(test: Test) {
  const { status, headers, body } = await test;
  const [, left, until] = /^"default";r=(\d+);t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
  expect(Number(until)).toBeGreaterThanOrEqual(59);
  expect(Number(until)).toBeLessThanOrEqual(60);
  return { status, policy: headers['ratelimit-policy'], left, retryAfter: headers['retry-after'], body };
}

describe('a rate limit', () => {
  it('counts the requests of a key on both surfaces, kept answers too, and refuses those beyond', async () => {
    const key = await makeKey(server.database, { user: 'busy' });
    const policy = '"default";q=3;w=60';

    expect(await told(server.rest('get', list, key))).toMatchObject({ status: 200, policy, left: '2' });
    expect(await told(server.rest('get', list, key))).toMatchObject({ status: 200, policy, left: '1' });
    expect(await told(server.graphql('{ ping { status } }', {}, key))).toMatchObject({
      status: 200,
      policy,
      left: '0',
    });

    const message = 'You may send 3 requests a minute. Please wait.';
    const refused = { status: 429, policy, left: '0', retryAfter: expect.stringMatching(seconds) };
    expect(await told(server.rest('get', list, key))).toEqual({ ...refused, body: { message } });
    expect(await told(server.rest('get', '/no/such/path', key))).toEqual({ ...refused, body: { message } });
    expect(await told(server.graphql('{ ping { status } }', {}, key))).toEqual({
      ...refused,
      body: { errors: [{ message, extensions: { code: 'RATE_LIMITED' } }] },
    });
  });

  it('leaves other keys, of the same user too, in peace', async () => {
    const [busy, other] = [await makeKey(server.database), await makeKey(server.database)];
    for (const _ of Array.from({ length: 4 })) await server.rest('get', '/ping', busy);

    expect((await server.rest('get', '/ping', other)).status).toBe(200);
  });

  it('counts nobody whose key is no good', async () => {
    const { status, headers } = await server.rest('get', '/ping', null);

    expect(status).toBe(401);
    expect(headers['ratelimit']).toBeUndefined();
  });

  it('is off, and tells nothing, unless it is configured', async () => {
    const free = await startTestServer();
    const { status, headers } = await free.rest('get', '/ping');
    await free.close();

    expect(status).toBe(200);
    expect(headers['ratelimit']).toBeUndefined();
    expect(headers['ratelimit-policy']).toBeUndefined();
  });
});
