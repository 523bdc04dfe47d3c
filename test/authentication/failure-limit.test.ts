import { describe, expect, it } from 'vitest';
import { createAuthFailureLimit } from '../../src/accounts/authentication/failure-limit.ts';
import { makeApiKey } from '../../src/validation/api-key-form.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ AUTH_FAILURES_PER_MINUTE: '3', TRUSTED_PROXY_HOPS: '1' });

const tryKey = (address: string, key: string | null = 'a guess') =>
  server.rest('get', '/ping', key).set('X-Forwarded-For', address);

describe('an address that sends invalid keys', () => {
  it('gets 429 beyond the limit from REST and GraphQL, while valid keys keep working', async () => {
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await tryKey('192.0.2.1')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);

    const limited = await tryKey('192.0.2.1', 'another guess');
    const graphql = await server.graphql('{ ping { status } }', {}, 'a guess').set('X-Forwarded-For', '192.0.2.1');
    const valid = await tryKey('192.0.2.1', adminKey);

    expect(limited.body).toEqual({ message: 'Too many invalid API keys came from your address. Please wait.' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect([graphql.status, graphql.body.errors[0].extensions]).toEqual([429, { code: 'RATE_LIMITED' }]);
    expect(valid.status).toBe(200);
  });

  it('never gets 429 for valid keys that were not used before, even among many made-up ones', async () => {
    const address = '192.0.2.5';
    for (let count = 0; count < 4; count += 1) await tryKey(address, `guess ${count}`);
    const valid = await Promise.all(['ada', 'grace'].map((user) => server.makeKey({ user })));
    const [guesses, mistyped, others] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, async (_, index) => tryKey(address, `another guess ${index}`))),
      Promise.all(Array.from({ length: 10 }, async () => tryKey(address, `${makeApiKey()}x`))),
      Promise.all(valid.map(async (key) => tryKey(address, key))),
    ]);

    for (const { status } of [...guesses, ...mistyped]) expect(status).toBe(429);
    for (const { status } of others) expect(status).toBe(200);
  });

  it('is identified by the trusted proxy hops, not by forged parts of X-Forwarded-For', async () => {
    const statuses = [];
    for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
      statuses.push((await tryKey(`${forged}, 192.0.2.2`)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('is not counted for requests without a key', async () => {
    for (let count = 0; count < 5; count += 1) expect((await tryKey('192.0.2.3', null)).status).toBe(401);
    expect((await tryKey('192.0.2.3')).status).toBe(401);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::1', '::1', true],
    ['192.0.2.8', '192.0.2.9', false],
    ['::ffff:192.0.2.8', '::ffff:192.0.2.9', false],
    ['::ffff:192.0.2.8', '192.0.2.8', true],
    ['::ffff:c000:208', '192.0.2.8', true],
    ['2001::1', '2001::f:1:2:3:4', false],
    ['2001::1', '2001:0:0:0:ffff::', true],
    ['2001:DB8::1', '2001:db8:0:0::2', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['fe80::1%eth0', 'fe80::1%eth1', false],
    ['192.0.2.8:4711', '192.0.2.8:4712', true],
    ['[2001:db8::1]:4711', '2001:db8::2', true],
    ['unknown', `_hidden${'x'.repeat(1_000)}`, true],
  ])('counts %s and %s together: %s', (first, second, together) => {
    const failureLimit = createAuthFailureLimit(1);
    failureLimit.count(first);
    if (together) expect(() => failureLimit.count(second)).toThrow('Too many invalid API keys');
    else expect(() => failureLimit.count(second)).not.toThrow();
  });
});
