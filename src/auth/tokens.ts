import { apiKeyInvalid } from './refusals.ts';
import type { TokenVerifier, TokenVerifierOptions } from './token-form.ts';

/** Opens the check of tokens. When none can be good, nothing that could check them is loaded. */
export async function openTokens(options: TokenVerifierOptions): Promise<TokenVerifier> {
  if (options.JWT_SECRET === undefined && options.JWT_JWKS_URL === undefined) return noTokens;
  const { createTokenVerifier } = await import('./token.ts');
  return createTokenVerifier(options);
}

const noTokens: TokenVerifier = {
  verify: async () => {
    throw apiKeyInvalid(new Error('No tokens are accepted.'));
  },
  close: () => undefined,
};
