import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const list = '/api/academics/programs';

const server = useServer({ RATE_LIMIT_PER_MINUTE: '3' });

const seconds = /^\d+$/;

async function sendLimited(test: Test) {
  const { status, headers, body } = await test;
  const [, remaining, resetSeconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
  expect(Number(resetSeconds)).toBeGreaterThanOrEqual(59);
  expect(Number(resetSeconds)).toBeLessThanOrEqual(60);
  return {
    status,
    policy: headers['ratelimit-policy'],
    remaining,
    retryAfter: headers['retry-after'],
    code: headers['x-error-code'],
    body,
  };
}

describe('a rate limit', () => {
  it('counts the requests of a user over REST and GraphQL, cached ones too, and rejects those beyond with 429', async () => {
    const key = await server.makeKey({ user: 'busy' });
    const policy = '"default";q=3;w=60';

    expect(await sendLimited(server.rest('get', list, key))).toMatchObject({ status: 200, policy, remaining: '2' });
    expect(await sendLimited(server.rest('get', list, key))).toMatchObject({ status: 200, policy, remaining: '1' });
    expect(await sendLimited(server.graphql('{ ping { status } }', {}, key))).toMatchObject({
      status: 200,
      policy,
      remaining: '0',
    });

    const message = 'You may send 3 requests a minute. Please wait.';
    const rejected = {
      status: 429,
      code: 'RATE_LIMITED',
      policy,
      remaining: '0',
      retryAfter: expect.stringMatching(seconds),
    };
    expect(await sendLimited(server.rest('get', list, key))).toEqual({ ...rejected, body: { message } });
    expect(await sendLimited(server.rest('get', '/no/such/path', key))).toEqual({ ...rejected, body: { message } });
    expect(await sendLimited(server.graphql('{ ping { status } }', {}, key))).toEqual({
      ...rejected,
      body: { errors: [{ message, extensions: { code: 'RATE_LIMITED' } }] },
    });
  });

  it('counts all keys of a user together, and affects no other user', async () => {
    const [busy, same, other] = [
      await server.makeKey(),
      await server.makeKey(),
      await server.makeKey({ user: 'olga' }),
    ];
    for (const key of [busy, same, busy]) await server.rest('get', '/ping', key).expect(200);

    await server.rest('get', '/ping', same).expect(429);
    await server.rest('get', '/ping', other).expect(200);
  });

  it('sends no RateLimit header to a request without a key', async () => {
    const { status, headers } = await server.rest('get', '/ping', null);

    expect(status).toBe(401);
    expect(headers['ratelimit']).toBeUndefined();
  });
});
