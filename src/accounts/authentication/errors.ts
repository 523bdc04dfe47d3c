import { ServiceError } from '@service/errors';
import type { KeyProblem } from '../keys/key-lookup.ts';

export function apiKeyMissing(): ServiceError {
  return new ServiceError('API_KEY_MISSING', 'API key is missing.');
}

export function apiKeyInvalid(cause?: unknown): ServiceError {
  return new ServiceError('API_KEY_INVALID', 'API key is invalid.', { cause });
}

/** The cause of `API_KEY_INVALID` for a key of this service, or one that might be. */
export class InvalidKey extends Error {
  override readonly name = 'InvalidKey';
  readonly problem: KeyProblem;

  constructor(problem: KeyProblem) {
    super(`The API key is ${problem}.`);
    this.problem = problem;
  }
}

/** The credential is valid, but has no active user (`docs/contract.md` 2). */
export function userNotAuthenticated(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'User is not authenticated.');
}
