import { createHmac } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { expect } from 'vitest';
import type { JwtVerifier, JwtVerifierOptions } from '../../../src/accounts/jwt/tokens.ts';

/** The current time in the token tests, in seconds since the epoch. */
export const nowSeconds = Date.UTC(2030, 0, 1) / 1_000;

/** Claims of a token that is valid for an hour. */
export const goodClaims = { sub: 'ada', roles: ['viewer'], exp: nowSeconds + 3_600 };

export const secret = 'a secret of at least thirty-two bytes';

/** Options under which no token is valid; each test adds its own. */
export const bareOptions: JwtVerifierOptions = {
  JWT_SECRET: undefined,
  JWT_JWKS_URL: undefined,
  JWT_ISSUER: undefined,
  JWT_AUDIENCE: undefined,
  JWT_ROLES_CLAIM: 'roles',
  warn: (message) => expect.fail(message),
};

/** A key pair of an identity provider. */
export interface SigningKey {
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  sign(claims?: object, header?: object): Promise<string>;
}

/** Generates a key pair for an algorithm; its tokens carry `kid`. */
export async function makeSigningKey(alg: string, kid?: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const keyId = kid === undefined ? {} : { kid };
  return {
    publicJwk: { ...(await exportJWK(publicKey)), ...keyId },
    privateJwk: { ...(await exportJWK(privateKey)), ...keyId },
    sign: (claims = goodClaims, header = {}) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg, ...keyId, ...header })
        .sign(privateKey),
  };
}

/** Encodes a token with any header, payload and key, as a forger would. */
export function writeToken(header: object, payload: object | string, key: string | Buffer = secret): string {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** A token signed with the shared secret. */
export const secretToken = (claims: object | string = goodClaims): string => writeToken({ alg: 'HS256' }, claims);

/** Expects that a token is rejected, and returns the internal reason. */
export async function expectRejection(verifier: JwtVerifier, token: string): Promise<unknown> {
  const rejection: unknown = await verifier.verify(token).then(
    () => 'The token was accepted.',
    (error: unknown) => error,
  );
  expect(rejection).toMatchObject({ name: 'ServiceError', code: 'API_KEY_INVALID', message: 'API key is invalid.' });
  return rejection instanceof Error && rejection.cause instanceof Error ? rejection.cause.message : undefined;
}
