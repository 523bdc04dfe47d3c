import { apiKeyInvalid } from '../../operations/authentication-errors.ts';
import type { JwtVerifier, JwtVerifierOptions } from './tokens.ts';

/** Creates the verifier of tokens. Without JWT configuration it rejects every token and does not load `jose`. */
export async function openJwtVerifier(options: JwtVerifierOptions): Promise<JwtVerifier> {
  if (options.JWT_SECRET === undefined && options.JWT_JWKS_URL === undefined) return noTokens;
  if (options.JWT_JWKS_URL !== undefined) warnOfForeignTokens(options);
  const { createJwtVerifier } = await import('./verifier.ts');
  return createJwtVerifier(options);
}

const noTokens: JwtVerifier = {
  verify: async () => {
    throw apiKeyInvalid(new Error('No tokens are accepted.'));
  },
  close: () => undefined,
};

/** An issuer signs tokens for many services, and a JWKS may serve many issuers: unchecked, all are accepted. */
function warnOfForeignTokens({ JWT_ISSUER, JWT_AUDIENCE, warn }: JwtVerifierOptions): void {
  if (JWT_AUDIENCE === undefined) {
    warn('JWT_AUDIENCE is not set: tokens that the keys at JWT_JWKS_URL have signed for other services are accepted.');
  }
  if (JWT_ISSUER === undefined) {
    warn('JWT_ISSUER is not set: tokens of any issuer who signs with the keys at JWT_JWKS_URL are accepted.');
  }
}
