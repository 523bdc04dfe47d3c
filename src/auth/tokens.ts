import { apiKeyInvalid } from './refusals.ts';
import type { TokenVerifier, TokenVerifierOptions } from './token-form.ts';

/** Opens the check of tokens. When none can be good, nothing that could check them is loaded. */
export async function openTokens(options: TokenVerifierOptions): Promise<TokenVerifier> {
  if (options.JWT_SECRET === undefined && options.JWT_JWKS_URL === undefined) return noTokens;
  if (options.JWT_JWKS_URL !== undefined) warnOfForeignTokens(options);
  const { createTokenVerifier } = await import('./token.ts');
  return createTokenVerifier(options);
}

const noTokens: TokenVerifier = {
  verify: async () => {
    throw apiKeyInvalid(new Error('No tokens are accepted.'));
  },
  close: () => undefined,
};

/** An issuer signs tokens for many services, and a host of keys may serve many issuers: without a check, all of them are good. */
function warnOfForeignTokens({ JWT_ISSUER, JWT_AUDIENCE, warn }: TokenVerifierOptions): void {
  if (JWT_AUDIENCE === undefined) {
    warn('JWT_AUDIENCE is not set: tokens that the keys at JWT_JWKS_URL have signed for other services are accepted.');
  }
  if (JWT_ISSUER === undefined) {
    warn('JWT_ISSUER is not set: tokens of any issuer who signs with the keys at JWT_JWKS_URL are accepted.');
  }
}
