import type { ServiceError } from '@service/errors';
import type { KeyProblem } from '../keys/key-lookup.ts';

/** The cause of `API_KEY_INVALID` for a key of this service, or one that might be. */
export class InvalidKey extends Error {
  override readonly name = 'InvalidKey';
  readonly problem: KeyProblem;

  constructor(problem: KeyProblem) {
    super(`The API key is ${problem}.`);
    this.problem = problem;
  }
}

const tokenReasons: Readonly<Record<string, string>> = {
  exp: 'token expired',
  nbf: 'token not yet valid',
  aud: 'token for another audience',
  iss: 'token of another issuer',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'token with a bad signature',
  ERR_JWKS_NO_MATCHING_KEY: 'token of an unknown key',
  ERR_JOSE_ALG_NOT_ALLOWED: 'token with a forbidden algorithm',
};

/** Metrics report them as 0 before the first. */
export const usualReasons = ['no credential', 'unknown API key', 'revoked API key', 'expired API key'];

/** Why a credential was rejected, from a bounded set, for the log and the metrics; never a part of the credential. */
export function rejectionReasonOf({ cause }: ServiceError): string {
  if (cause instanceof InvalidKey) return `${cause.problem} API key`;
  if (!(cause instanceof Error)) return 'invalid token';
  const [, code = '', claim = ''] = /^(\w+)(?: \((\w+)\))?$/.exec(cause.message) ?? [];
  return tokenReasons[claim] ?? tokenReasons[code] ?? 'invalid token';
}
