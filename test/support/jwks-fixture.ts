import { expect } from 'vitest';
import type { JwksTiming } from '../../src/auth/jwt/jwks.ts';
import type { JwtVerifier } from '../../src/auth/jwt/types.ts';
import { createJwtVerifier } from '../../src/auth/jwt/verifier.ts';
import { type JwksServer, startJwksServer } from './jwks-server.ts';
import { bareOptions, nowSeconds } from './tokens.ts';

/** Longer than any test takes. */
export const never = 1_000_000_000;

/** A host of keys, the verifiers that use it, and what they warned of. */
export interface JwksFixture {
  readonly host: JwksServer;
  readonly warnings: readonly string[];
  /** Moves the clock of all verifiers. */
  passTime(ms: number): void;
  /** Opens a verifier that does not refresh by itself unless told to. */
  openVerifier(timing?: Partial<JwksTiming>, url?: string): JwtVerifier;
  close(): Promise<void>;
}

/** Sets up a host with keys, and the clock at which the tokens of tests are good. */
export async function openJwksFixture(keys: readonly object[]): Promise<JwksFixture> {
  const host = await startJwksServer(keys);
  const opened: JwtVerifier[] = [];
  const warnings: string[] = [];
  let clock = nowSeconds * 1_000;
  return {
    host,
    warnings,
    passTime(ms) {
      clock += ms;
    },
    openVerifier(timing = {}, url = host.url) {
      const verifier = createJwtVerifier(
        { ...bareOptions, JWT_JWKS_URL: url, warn: (message) => warnings.push(message) },
        { now: () => clock, refreshMs: never, ...timing },
      );
      opened.push(verifier);
      return verifier;
    },
    async close() {
      for (const verifier of opened) verifier.close();
      await host.goDown();
    },
  };
}

/** Expects that a token of the tests is good. */
export async function expectAccepted(verifier: JwtVerifier, token: string): Promise<void> {
  expect(await verifier.verify(token)).toMatchObject({ subject: 'ada' });
}
