import { ServiceError } from '@service/errors';

/** The challenge to a request without a credential says only how to send one (RFC 6750, 3). */
const realm = 'Bearer realm="academic-structure"';
const challenge = `${realm}, error="invalid_token"`;

const wanted = 'Send the key as x-api-key: KEY or as Authorization: Bearer KEY';
const otherScheme = `${realm}, error="invalid_request", error_description="${wanted}"`;

/**
 * 401, with the challenge (`docs/contract.md` 3).
 * @param hasOtherScheme whether `Authorization` has a scheme that is not accepted: its sender believes to have sent a key.
 */
export function apiKeyMissing(hasOtherScheme = false): ServiceError {
  return new ServiceError('API_KEY_MISSING', 'API key is missing.', {
    challenge: hasOtherScheme ? otherScheme : realm,
  });
}

/** 401, with the challenge. The cause is for the log alone. */
export function apiKeyInvalid(cause?: unknown): ServiceError {
  return new ServiceError('API_KEY_INVALID', 'API key is invalid.', { challenge, cause });
}

/** The credential is valid, but has no active user (`docs/contract.md` 2). */
export function userNotAuthenticated(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'User is not authenticated.', { challenge });
}
