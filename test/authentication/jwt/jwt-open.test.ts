import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJwtVerifier } from '../../../src/accounts/jwt/open.ts';
import { bareOptions, secret } from '../../support/credentials/tokens.ts';
import { type JwksServer, startJwksServer } from './jwks-server.ts';

const anyAudience =
  'JWT_AUDIENCE is not set: tokens that the keys at JWT_JWKS_URL have signed for other services are accepted.';
const anyIssuer = 'JWT_ISSUER is not set: tokens of any issuer who signs with the keys at JWT_JWKS_URL are accepted.';

let host: JwksServer;
beforeAll(async () => {
  host = await startJwksServer();
});
afterAll(() => host.goDown());

async function warningsOf(options: object): Promise<string[]> {
  const warnings: string[] = [];
  const verifier = await openJwtVerifier({ ...bareOptions, ...options, warn: (message) => warnings.push(message) });
  verifier.close();
  return warnings;
}

describe('opening a verifier with a key set', () => {
  it.each([
    [{}, [anyAudience, anyIssuer]],
    [{ JWT_ISSUER: 'https://issuer.example' }, [anyAudience]],
    [{ JWT_AUDIENCE: 'academic-structure' }, [anyIssuer]],
    [{ JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'academic-structure' }, []],
  ])('warns when tokens for other services or of any issuer are accepted: %j', async (options, warnings) => {
    expect(await warningsOf({ JWT_JWKS_URL: host.url, ...options })).toEqual(warnings);
  });
});

it('opening a verifier with a secret, or without any key, logs no warning', async () => {
  expect(await warningsOf({ JWT_SECRET: secret })).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
});
