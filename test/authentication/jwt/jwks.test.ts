import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JwtVerifier } from '../../../src/accounts/jwt/tokens.ts';
import { createJwtVerifier } from '../../../src/accounts/jwt/verifier.ts';
import {
  bareOptions,
  expectRejection,
  goodClaims,
  makeSigningKey,
  nowSeconds,
  type SigningKey,
  writeToken,
} from '../../support/credentials/tokens.ts';
import { type JwksServer, startJwksServer } from './jwks-server.ts';

const unreadable = (reason: string) =>
  `The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`;

let first: SigningKey;
let second: SigningKey;
let host: JwksServer;
let opened: JwtVerifier[] = [];
let warnings: string[] = [];

beforeAll(async () => {
  [first, second] = await Promise.all([makeSigningKey('ES256', 'first'), makeSigningKey('ES256', 'second')]);
});

beforeEach(async () => {
  vi.useFakeTimers({ now: nowSeconds * 1_000, toFake: ['Date', 'setInterval', 'clearInterval'] });
  host = await startJwksServer([first.publicJwk]);
});

afterEach(async () => {
  for (const verifier of opened) verifier.close();
  [opened, warnings] = [[], []];
  vi.useRealTimers();
  await host.goDown();
});

function openVerifier(url = host.url): JwtVerifier {
  const verifier = createJwtVerifier({ ...bareOptions, JWT_JWKS_URL: url, warn: (said) => warnings.push(said) });
  opened.push(verifier);
  return verifier;
}

const expectAccepted = async (verifier: JwtVerifier, token: string): Promise<void> =>
  expect(await verifier.verify(token)).toMatchObject({ subject: 'ada' });

describe('the keys', () => {
  it('are downloaded once for 20 concurrent tokens, and not for an algorithm that no token may have', async () => {
    const verifier = openVerifier();
    const token = await first.sign();

    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(verifier, token)));
    await expectRejection(verifier, await (await makeSigningKey('ES384', 'unknown')).sign());

    expect(host.requests).toBe(1);
  });

  it('include a new one ten seconds after the last download', async () => {
    const verifier = openVerifier();
    await expectAccepted(verifier, await first.sign());
    host.keys = [second.publicJwk];

    vi.advanceTimersByTime(9_999);
    for (let n = 0; n < 20; n += 1) await expectRejection(verifier, await second.sign());
    expect(host.requests).toBe(1);

    vi.advanceTimersByTime(1);
    const token = await second.sign();
    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(verifier, token)));
    expect(host.requests).toBe(2);
  });

  it('that were removed are rejected five minutes later', async () => {
    const verifier = openVerifier();
    const token = await first.sign();
    await expectAccepted(verifier, token);
    host.keys = [second.publicJwk];

    vi.advanceTimersByTime(300_000);

    await vi.waitFor(() => expectRejection(verifier, token), 10_000);
    await expectAccepted(verifier, await second.sign());
    expect(host.requests).toBe(2);
  });

  it.each([
    ['of other types', () => [{}, { kty: 'oct', k: 'AA' }, { kty: 'RSA' }, { ...first.publicJwk, kid: 7 }]],
    ['that are broken', () => [{ kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' }]],
  ])('%s are skipped, and the others work', async (_case, others) => {
    host.keys = [...others(), first.publicJwk];
    const verifier = openVerifier();

    await expectAccepted(verifier, await first.sign());
    await expectRejection(verifier, await first.sign(goodClaims, { kid: 'broken' }));
    expect(warnings).toEqual([]);
  });

  it('that are private, and so known to others, are rejected', async () => {
    host.keys = [first.privateJwk];

    expect(await expectRejection(openVerifier(), await first.sign())).toBe('ERR_JWKS_INVALID');
  });
});

describe('a token without a key id', () => {
  const withoutId = (key: SigningKey) => key.sign(goodClaims, { kid: undefined });

  it('is accepted when one key fits its algorithm and use', async () => {
    const other = { use: 'enc', key_ops: ['sign'], alg: 'ES384' };
    const others = Object.entries(other).map(([name, value]) => ({ ...second.publicJwk, [name]: value }));
    host.keys = [first.publicJwk, (await makeSigningKey('EdDSA', 'another')).publicJwk, ...others];

    await expectAccepted(openVerifier(), await withoutId(first));
  });

  it('is rejected when two keys fit', async () => {
    host.keys = [first.publicJwk, second.publicJwk];

    expect(await expectRejection(openVerifier(), await withoutId(first))).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
  });
});

describe('a host that is down', () => {
  it('does not prevent the start, and is asked once at a time by tokens until it is up', async () => {
    await host.goDown();
    const verifier = openVerifier();
    await vi.waitFor(() => expect(warnings).toEqual([unreadable('ECONNREFUSED')]));
    await host.comeUp();
    const token = await first.sign();

    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(verifier, token)));

    expect(host.requests).toBe(1);
  });

  it('leaves the known keys in use, and is a warning every five minutes, never one for each token', async () => {
    const verifier = openVerifier();
    await expectAccepted(verifier, await first.sign());
    await host.goDown();

    vi.advanceTimersByTime(299_999);
    for (let n = 0; n < 20; n += 1) await expectRejection(verifier, await second.sign());
    expect(warnings).toEqual([]);

    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(warnings).toEqual([unreadable('ECONNREFUSED')]));
    await expectAccepted(verifier, await first.sign());
  });

  it('delays the tokens of known keys no longer when it hangs, and those of others by two seconds', async () => {
    const verifier = openVerifier();
    await expectAccepted(verifier, await first.sign());
    host.handler = () => undefined;
    vi.advanceTimersByTime(10_000);
    const rejected = expectRejection(verifier, await second.sign());

    await expectAccepted(verifier, await first.sign());

    expect(await rejected).toBe('ERR_JWKS_TIMEOUT');
    expect(host.requests).toBe(2);
  });
});

describe('whether a token waits for its key is whether the host is asked', () => {
  const headers: readonly [string, object, boolean][] = [
    ['a known key', { alg: 'ES256', kid: 'first' }, false],
    ['an unknown key', { alg: 'ES256', kid: 'second' }, true],
    ['a known key, for another algorithm', { alg: 'RS256', kid: 'first' }, true],
    ['no key, where there is one', { alg: 'ES256' }, false],
    ['no key, for another algorithm', { alg: 'EdDSA' }, true],
    ['an unknown key, for no algorithm of tokens', { alg: 'ES384', kid: 'second' }, false],
  ];

  it.each(headers)('of %s', async (_case, header, waits) => {
    const verifier = openVerifier();
    await expectAccepted(verifier, await first.sign());
    const token = writeToken(header, goodClaims);

    expect(await verifier.waitsForKeys?.(token)).toBe(false);
    await expectRejection(verifier, token);
    expect(host.requests).toBe(1);

    vi.advanceTimersByTime(10_000);
    expect(await verifier.waitsForKeys?.(token)).toBe(waits);
    await expectRejection(verifier, token);
    expect(host.requests).toBe(waits ? 2 : 1);
  });

  it('of any before the first download', async () => {
    host.handler = () => undefined;
    const verifier = openVerifier();

    expect(await verifier.waitsForKeys?.(await first.sign())).toBe(true);
  });
});

it.each([
  ['another status', 500, '{"keys":[]}', 'Expected 200 OK from the JSON Web Key Set HTTP response'],
  ['no JSON', 200, '<html>', 'Failed to parse the JSON Web Key Set HTTP response as JSON'],
  ['no key set', 200, '{"keys":{}}', 'JSON Web Key Set malformed'],
  ['a redirect, which would choose the keys', 302, '', 'Expected 200 OK from the JSON Web Key Set HTTP response'],
])('%s in place of the keys is a warning, and the known ones stay', async (_case, status, body, reason) => {
  const elsewhere = await startJwksServer([second.publicJwk]);
  const verifier = openVerifier();
  await expectAccepted(verifier, await first.sign());
  host.handler = (_request, response) => response.writeHead(status, { location: elsewhere.url }).end(body);

  vi.advanceTimersByTime(300_000);

  await vi.waitFor(() => expect(warnings).toEqual([unreadable(reason)]));
  await expectAccepted(verifier, await first.sign());
  await expectRejection(verifier, await second.sign());
  expect(elsewhere.requests).toBe(0);
  await elsewhere.goDown();
});

it('a warning contains neither the URL nor the token', async () => {
  const url = host.url.replace('http://', 'http://user:password-on-show@').concat('?key=query-on-show');

  await expectRejection(openVerifier(url), await first.sign(goodClaims, { kid: 'kid-on-show' }));

  expect(warnings).toEqual([unreadable('the request failed')]);
});

it('a verifier that is closed reads no keys again, and warns no more', async () => {
  const verifier = openVerifier();
  await expectAccepted(verifier, await first.sign());
  await host.goDown();

  verifier.close();
  vi.advanceTimersByTime(3_600_000);

  await expectAccepted(verifier, await first.sign());
  expect({ requests: host.requests, warnings }).toEqual({ requests: 1, warnings: [] });
});
