import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { looksLikeJwt } from '../../../src/accounts/authentication/authenticate.ts';
import type { JwtVerifier } from '../../../src/accounts/jwt/tokens.ts';
import { createJwtVerifier } from '../../../src/accounts/jwt/verifier.ts';
import {
  bareOptions,
  expectRejection,
  goodClaims,
  makeSigningKey,
  nowSeconds,
  type SigningKey,
  secret,
  secretToken,
  writeToken,
} from '../../support/credentials/tokens.ts';
import { type JwksServer, startJwksServer } from './jwks-server.ts';

const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
const symmetricKey = 'a symmetric key that a careless host publishes';

let host: JwksServer;
let keys: Record<(typeof algorithms)[number], SigningKey>;
let verifiers: Record<'secret' | 'jwks' | 'both', JwtVerifier>;

beforeAll(async () => {
  const [RS256, ES256, EdDSA] = await Promise.all(algorithms.map((name) => makeSigningKey(name, `a key for ${name}`)));
  if (RS256 === undefined || ES256 === undefined || EdDSA === undefined) throw new Error('A key is missing.');
  keys = { RS256, ES256, EdDSA };
  host = await startJwksServer([
    RS256.publicJwk,
    ES256.publicJwk,
    EdDSA.publicJwk,
    { kty: 'oct', kid: 'symmetric', alg: 'HS256', k: Buffer.from(symmetricKey).toString('base64url') },
  ]);
  const verifierWith = (JWT_SECRET: string | undefined, JWT_JWKS_URL: string | undefined) =>
    createJwtVerifier({ ...bareOptions, JWT_SECRET, JWT_JWKS_URL }, () => nowSeconds * 1_000);
  verifiers = {
    secret: verifierWith(secret, undefined),
    jwks: verifierWith(undefined, host.url),
    both: verifierWith(secret, host.url),
  };
});

afterAll(async () => {
  for (const verifier of Object.values(verifiers)) verifier.close();
  await host.goDown();
});

describe('algorithms', () => {
  it.each(algorithms)('include %s with a key of the set', async (name) => {
    const token = await keys[name].sign();

    expect(await verifiers.jwks.verify(token)).toMatchObject({ subject: 'ada' });
    expect(await verifiers.both.verify(token)).toMatchObject({ subject: 'ada' });
    expect(await expectRejection(verifiers.secret, token)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
  });

  it('include HS256 with the secret only', async () => {
    expect(await verifiers.secret.verify(secretToken())).toMatchObject({ subject: 'ada' });
    expect(await verifiers.both.verify(secretToken())).toMatchObject({ subject: 'ada' });
    expect(await expectRejection(verifiers.jwks, secretToken())).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
  });

  const others = ['none', 'nOnE', '', undefined, null, 0, ['none'], ['HS256'], 'hs256', 'HS256 ', '__proto__'];
  it.each(others)('do not include %j, signed or not', async (alg) => {
    const signed = writeToken({ alg }, goodClaims);
    const unsigned = signed.slice(0, signed.lastIndexOf('.') + 1);

    for (const verifier of Object.values(verifiers)) {
      await expectRejection(verifier, signed);
      await expectRejection(verifier, unsigned);
    }
  });

  it('do not include others, even with a valid signature', async () => {
    for (const name of ['PS256', 'ES384', 'ES512']) {
      const token = await (await makeSigningKey(name)).sign();

      expect(await expectRejection(verifiers.both, token)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    }
    for (const alg of ['HS384']) {
      const token = await new SignJWT(goodClaims).setProtectedHeader({ alg }).sign(Buffer.from(secret.repeat(2)));
      const verifier = createJwtVerifier({ ...bareOptions, JWT_SECRET: secret.repeat(2) });

      expect(await expectRejection(verifier, token)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    }
  });
});

describe('a forged token', () => {
  it('is rejected when HS256 is signed with a public key, in any encoding', async () => {
    for (const name of algorithms) {
      const jwk = keys[name].publicJwk;
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      const pem = key.export({ format: 'pem', type: 'spki' }).toString();
      const forms = [
        pem,
        pem.trim(),
        key.export({ format: 'der', type: 'spki' }),
        JSON.stringify(jwk),
        ...[jwk.n, jwk.x]
          .filter((text) => text !== undefined)
          .flatMap((text) => [text, Buffer.from(text, 'base64url')]),
      ];
      for (const form of forms) {
        const token = writeToken({ alg: 'HS256', kid: jwk.kid }, goodClaims, form);

        for (const verifier of Object.values(verifiers)) await expectRejection(verifier, token);
      }
    }
  });

  it('is rejected when it is signed with a symmetric key of the set', async () => {
    const token = writeToken({ alg: 'HS256', kid: 'symmetric' }, goodClaims, symmetricKey);

    for (const verifier of Object.values(verifiers)) await expectRejection(verifier, token);
  });

  it('is rejected when the secret is a public key and its private key signed', async () => {
    const jwk = keys.RS256.publicJwk;
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }).toString();
    const verifier = createJwtVerifier({ ...bareOptions, JWT_SECRET: pem });

    await expectRejection(verifier, await keys.RS256.sign());
  });

  it('is rejected when it claims the key of another algorithm', async () => {
    for (const signer of algorithms) {
      for (const named of algorithms.filter((name) => name !== signer)) {
        await expectRejection(verifiers.both, await keys[signer].sign(goodClaims, { kid: `a key for ${named}` }));
      }
    }
  });

  it('is rejected when it contains its own key or links to one, which is not downloaded', async () => {
    for (const name of algorithms) {
      const forger = await makeSigningKey(name, 'the key of a forger');
      const forgersHost = await startJwksServer([forger.publicJwk]);
      const { url } = forgersHost;
      for (const kid of [`a key for ${name}`, 'the key of a forger', undefined]) {
        for (const hint of [{ jwk: forger.publicJwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }, { kid: url }]) {
          await expectRejection(verifiers.both, await forger.sign(goodClaims, { kid, ...hint }));
        }
      }

      expect(forgersHost.requests).toBe(0);
      await forgersHost.goDown();
    }
  });
});

describe('an altered token', () => {
  const anyCharacter = fc.oneof(
    fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
    fc.constantFrom(...'.=+/ \t\n\0é'),
  );

  it.each(['HS256', ...algorithms] as const)('is rejected when any one character changed: %s', async (name) => {
    const token = name === 'HS256' ? secretToken() : await keys[name].sign();
    const signatureAt = token.lastIndexOf('.') + 1;
    const signatureOf = (text: string) => Buffer.from(text.slice(signatureAt), 'base64url');
    const change = fc.tuple(fc.nat(token.length - 1), anyCharacter).map(([at, character]) => ({
      at,
      changed: token.slice(0, at) + character + token.slice(at + 1),
    }));

    await fc.assert(
      fc.asyncProperty(change, async ({ at, changed }) => {
        // The last base64url character of a signature has unused bits: changing only them changes no byte.
        const same = at >= signatureAt && looksLikeJwt(changed) && signatureOf(changed).equals(signatureOf(token));
        fc.pre(changed !== token && !same);
        await expectRejection(verifiers.both, changed);
      }),
      { numRuns: inject('thorough') ? 400 : 120 },
    );
  });

  it('is rejected, without any other error, for any text', async () => {
    const part = fc.oneof(
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('eyJhbGciOiJIUzI1NiJ9', 'eyJhbGciOiJSUzI1NiJ9', 'e30', ''),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        await expectRejection(verifiers.both, parts.join('.'));
      }),
      { numRuns: inject('thorough') ? 500 : 120 },
    );
  });
});

describe('the length of a token', () => {
  const tokenOf = (length: number): string => {
    for (let headerFill = 0; headerFill < 4; headerFill += 1) {
      const header = { alg: 'HS256', fill: 'x'.repeat(headerFill) };
      const short = writeToken(header, { ...goodClaims, fill: '' });
      for (let fill = Math.floor(((length - short.length) * 3) / 4) - 3, tries = 0; tries < 8; fill += 1, tries += 1) {
        const token = writeToken(header, { ...goodClaims, fill: 'x'.repeat(fill) });
        if (token.length === length) return token;
      }
    }
    throw new Error(`Cannot build a token of ${length} characters.`);
  };

  it('may be 8,192 bytes', async () => {
    expect(await verifiers.secret.verify(tokenOf(8_192))).toMatchObject({ subject: 'ada' });
  });

  it('may not be more than 8,192 bytes', async () => {
    for (const token of [tokenOf(8_193), tokenOf(20_000), `${'é'.repeat(4_097)}..`, `e${'y'.repeat(9_000_000)}`]) {
      expect(await expectRejection(verifiers.secret, token)).toBe('The token is too long.');
    }
  });
});
