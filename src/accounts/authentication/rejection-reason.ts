import type { ServiceError } from '@service/errors';
import { InvalidKey } from './errors.ts';

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
