import { ServiceError } from '../errors.ts';

export function apiKeyMissing(): ServiceError {
  return new ServiceError('API_KEY_MISSING', 'API key is missing.');
}

export function apiKeyInvalid(cause?: unknown): ServiceError {
  return new ServiceError('API_KEY_INVALID', 'API key is invalid.', { cause });
}

/** The credential is valid, but has no active user (`docs/contract.md` 2). */
export function userNotAuthenticated(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'User is not authenticated.');
}
