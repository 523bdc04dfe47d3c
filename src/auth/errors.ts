import { ServiceError } from '../errors.ts';

/** No credential came with the request (`docs/contract.md` 3). */
export function apiKeyMissing(): ServiceError {
  return new ServiceError('API_KEY_MISSING', 'API key is missing.');
}

/** The credential is not good; why is nobody's business but the log's (`docs/contract.md` 3). */
export function apiKeyInvalid(cause?: unknown): ServiceError {
  return new ServiceError('API_KEY_INVALID', 'API key is invalid.', { cause });
}

/** The credential is good, but no active user stands behind it (`docs/contract.md` 2). */
export function userNotAuthenticated(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'User is not authenticated.');
}
