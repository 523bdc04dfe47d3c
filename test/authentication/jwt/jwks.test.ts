import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRejection, goodClaims, makeSigningKey, type SigningKey } from '../../support/credentials/tokens.ts';
import { within } from '../../support/running-time.ts';
import { expectAccepted, type JwksFixture, openJwksFixture } from './jwks-fixture.ts';

let first: SigningKey;
let second: SigningKey;
let third: SigningKey;
let fixture: JwksFixture;

beforeAll(async () => {
  [first, second, third] = await Promise.all([
    makeSigningKey('ES256', 'first'),
    makeSigningKey('ES256', 'second'),
    makeSigningKey('ES256', 'third'),
  ]);
});

beforeEach(async () => {
  fixture = await openJwksFixture([first.publicJwk]);
});

afterEach(() => fixture.close());

describe('the keys', () => {
  it('are downloaded once for 20 concurrent tokens', async () => {
    const verifier = fixture.openVerifier();
    const token = await first.sign();

    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(verifier, token)));
    await expectAccepted(verifier, token);

    expect(fixture.host.requests).toBe(1);
  });

  it('include a newly published one without delay', async () => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());

    fixture.host.keys = [first.publicJwk, second.publicJwk];
    await expectAccepted(verifier, await second.sign());

    expect(fixture.host.requests).toBe(2);
  });

  it('are downloaded again for an unknown key at most every 10 seconds', async () => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());
    await expectRejection(verifier, await second.sign());
    fixture.host.keys = [second.publicJwk];

    fixture.advanceTime(9_999);
    for (let n = 0; n < 20; n += 1) await expectRejection(verifier, await second.sign());
    expect(fixture.host.requests).toBe(2);

    fixture.advanceTime(1);
    await expectAccepted(verifier, await second.sign());
    expect(fixture.host.requests).toBe(3);
  });

  it('are downloaded again after the clock was set back', async () => {
    const verifier = fixture.openVerifier();
    await expectRejection(verifier, await second.sign());
    await expectRejection(verifier, await second.sign());
    fixture.host.keys = [second.publicJwk];

    fixture.advanceTime(-3_600_000);

    await expectAccepted(verifier, await second.sign());
  });

  it('are downloaded once for concurrent tokens with unknown keys', async () => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());
    fixture.host.keys = [second.publicJwk, third.publicJwk];
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? second : third).sign()));

    await Promise.all(tokens.map((token) => expectAccepted(verifier, token)));

    expect(fixture.host.requests).toBe(2);
  });

  it('that were removed are rejected after a background refresh', async () => {
    const verifier = fixture.openVerifier({ refreshMs: 10 });
    const token = await first.sign();
    await expectAccepted(verifier, token);

    fixture.host.keys = [second.publicJwk];

    await within(10_000, () => expectRejection(verifier, token));
    await expectAccepted(verifier, await second.sign());
  });

  it('are not downloaded for a token with an unsupported algorithm', async () => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());

    await expectRejection(verifier, await (await makeSigningKey('ES384', 'unknown')).sign());

    expect(fixture.host.requests).toBe(1);
  });
});

describe('a token without a key id', () => {
  const withoutId = (key: SigningKey) => key.sign(goodClaims, { kid: undefined });

  it('is accepted when one key fits its algorithm', async () => {
    fixture.host.keys = [first.publicJwk, (await makeSigningKey('EdDSA', 'another')).publicJwk];

    await expectAccepted(fixture.openVerifier(), await withoutId(first));
  });

  it('is rejected when two keys fit, without another download', async () => {
    fixture.host.keys = [first.publicJwk, second.publicJwk];

    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());

    expect(await expectRejection(verifier, await withoutId(first))).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
    expect(fixture.host.requests).toBe(1);
  });

  it('is accepted when all but one key are for other uses', async () => {
    fixture.host.keys = [
      first.publicJwk,
      { ...second.publicJwk, use: 'enc' },
      { ...second.publicJwk, key_ops: ['sign'] },
      { ...second.publicJwk, alg: 'ES384' },
    ];

    await expectAccepted(fixture.openVerifier(), await withoutId(first));
  });
});

describe('unusable keys in the set', () => {
  it('are skipped, and the others work', async () => {
    const broken = { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' };
    fixture.host.keys = [
      {},
      { kty: 'oct', k: 'AA' },
      { kty: 'RSA' },
      { ...first.publicJwk, kid: 7 },
      broken,
      first.publicJwk,
    ];
    const verifier = fixture.openVerifier();

    await expectAccepted(verifier, await first.sign());
    expect(await expectRejection(verifier, await first.sign(goodClaims, { kid: 'broken' }))).toBe(
      'The key cannot be used.',
    );
    expect(fixture.warnings).toEqual([]);
  });

  it('include private keys', async () => {
    fixture.host.keys = [first.privateJwk];

    expect(await expectRejection(fixture.openVerifier(), await first.sign())).toBe('ERR_JWKS_NO_MATCHING_KEY');
  });
});
