import { createHmac } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { expect } from 'vitest';
import type { JwtVerifier, JwtVerifierOptions } from '../../src/auth/jwt/types.ts';

/** The moment at which the tests of tokens take place, in seconds. */
export const nowSeconds = Date.UTC(2030, 0, 1) / 1_000;

/** Claims of a token that is good for an hour. */
export const goodClaims = { sub: 'ada', roles: ['viewer'], exp: nowSeconds + 3_600 };

export const secret = 'a secret of at least thirty-two bytes';

/** A configuration under which no token is good; a test adds what it is about. */
export const bareOptions: JwtVerifierOptions = {
  JWT_SECRET: undefined,
  JWT_JWKS_URL: undefined,
  JWT_ISSUER: undefined,
  JWT_AUDIENCE: undefined,
  JWT_ROLES_CLAIM: 'roles',
  warn: (message) => expect.fail(message),
};

/** A pair of keys of an identity provider, which signs tokens with it. */
export interface SigningKey {
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  sign(claims?: object, header?: object): Promise<string>;
}

/** Makes a pair of keys for an algorithm; its tokens name `kid`. */
export async function makeSigningKey(alg: string, kid?: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const naming = kid === undefined ? {} : { kid };
  return {
    publicJwk: { ...(await exportJWK(publicKey)), ...naming },
    privateJwk: { ...(await exportJWK(privateKey)), ...naming },
    sign: (claims = goodClaims, header = {}) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg, ...naming, ...header })
        .sign(privateKey),
  };
}

/** Writes a token by hand, as only a forger or a careless issuer would: any header, any payload, any key. */
export function writeToken(header: object, payload: object | string, key: string | Buffer = secret): string {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** A token signed with the secret. */
export const secretToken = (claims: object | string = goodClaims): string => writeToken({ alg: 'HS256' }, claims);

/** Expects that a token is refused, and returns the reason that was kept aside. */
export async function expectRejection(verifier: JwtVerifier, token: string): Promise<unknown> {
  const refusal: unknown = await verifier.verify(token).then(
    () => 'The token was accepted.',
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ name: 'ServiceError', code: 'API_KEY_INVALID', message: 'API key is invalid.' });
  return refusal instanceof Error && refusal.cause instanceof Error ? refusal.cause.message : undefined;
}
