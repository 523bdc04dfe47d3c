import { expect } from 'vitest';
import type { JwksTiming } from '../../../src/accounts/jwt/jwks.ts';
import type { JwtVerifier } from '../../../src/accounts/jwt/tokens.ts';
import { createJwtVerifier } from '../../../src/accounts/jwt/verifier.ts';
import { bareOptions, nowSeconds } from '../../support/credentials/tokens.ts';
import { type JwksServer, startJwksServer } from './jwks-server.ts';

/** Longer than any test takes. */
export const never = 1_000_000_000;

/** A JWKS server, the verifiers that use it, and their warnings. */
export interface JwksFixture {
  readonly host: JwksServer;
  readonly warnings: readonly string[];
  /** Advances the clock of all verifiers. */
  advanceTime(ms: number): void;
  /** Opens a verifier; no background refresh by default. */
  openVerifier(timing?: Partial<JwksTiming>, url?: string): JwtVerifier;
  close(): Promise<void>;
}

/** Starts a JWKS server; the clock is set to the time at which test tokens are valid. */
export async function openJwksFixture(keys: readonly object[]): Promise<JwksFixture> {
  const host = await startJwksServer(keys);
  const verifiers: JwtVerifier[] = [];
  const warnings: string[] = [];
  let clock = nowSeconds * 1_000;
  return {
    host,
    warnings,
    advanceTime(ms) {
      clock += ms;
    },
    openVerifier(timing = {}, url = host.url) {
      const verifier = createJwtVerifier(
        { ...bareOptions, JWT_JWKS_URL: url, warn: (message) => warnings.push(message) },
        { now: () => clock, refreshMs: never, ...timing },
      );
      verifiers.push(verifier);
      return verifier;
    },
    async close() {
      for (const verifier of verifiers) verifier.close();
      await host.goDown();
    },
  };
}

/** Expects that a test token is accepted. */
export async function expectAccepted(verifier: JwtVerifier, token: string): Promise<void> {
  expect(await verifier.verify(token)).toMatchObject({ subject: 'ada' });
}
