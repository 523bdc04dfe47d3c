import type { ErrorCode, ServiceError } from '@service/errors';

const statusOfCode: Readonly<Record<ErrorCode, number>> = {
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 400,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** `WWW-Authenticate` of a 401 (RFC 9110, 15.5.2): without a credential, only how to send one (RFC 6750, 3). */
function challengeOf(code: ErrorCode): string {
  return `Bearer realm="academic-structure"${code === 'API_KEY_MISSING' ? '' : ', error="invalid_token"'}`;
}

export function httpErrorOf(error: ServiceError): {
  readonly status: number;
  readonly headers: Record<string, string>;
} {
  const status = error.status ?? statusOfCode[error.code];
  return {
    status,
    headers: {
      ...(status === 401 && { 'WWW-Authenticate': challengeOf(error.code) }),
      ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  };
}
