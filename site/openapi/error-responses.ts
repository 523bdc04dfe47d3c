import { responseTooLarge, ServiceError } from '@service/errors';
import { BodyError } from '@service/http/body-bytes';
import { methodNotAllowed } from '@service/http/errors';
import type { z } from 'zod';
import type { Route } from '../../src/doors/rest/routes.ts';
import { type Access, authorize } from '../../src/operations/access.ts';
import { apiKeyInvalid, apiKeyMissing, userNotAuthenticated } from '../../src/operations/authentication-errors.ts';
import { lowestRole, rightsOf } from '../../src/validation/permissions.ts';
import { notFound, validateInput, validationFailed } from '../../src/validation/validate.ts';
import { errorResponse, errorThrownBy } from './errors.ts';
import { unknownIdentifier } from './examples.ts';
import { allowHeader, headersOf } from './headers.ts';
import { operationTexts } from './texts.ts';
import type { OpenApiResponse, Reference } from './types.ts';

export interface Requirements {
  readonly name: string;
  readonly route: Route;
  readonly access: Access;
  readonly writes: boolean;
  readonly inputSchema: z.ZodType | undefined;
  /** The methods that its path allows, as in `Allow`. */
  readonly allowed: string;
}

/** Error responses shared by several operations. */
export const commonErrorResponses = {
  IdempotencyConflict: errorResponse(
    'The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.',
    headersOf('Retry-After'),
    {
      running: new ServiceError('CONFLICT', 'The first request with this Idempotency-Key is still running.'),
    },
  ),
  IdempotencyMismatch: errorResponse('This `Idempotency-Key` was used with a different request.', headersOf(), {
    otherBody: new ServiceError('CONFLICT', 'This Idempotency-Key was used before with another body.'),
  }),
  BodyTooLarge: errorResponse('The body exceeds the size limit.', headersOf(), {
    tooLarge: new BodyError(413, 'The body must be at most 102400 bytes long.'),
  }),
  ResponseTooLarge: errorResponse('The response would be too large.', headersOf(), {
    response: responseTooLarge(8_388_608),
  }),
  UnsupportedMediaType: errorResponse('The `Content-Type` is not `application/json`.', headersOf(), {
    notJson: new BodyError(415, 'The body must be sent as Content-Type: application/json.'),
  }),
  TooManyRequests: errorResponse(
    'Rate limit exceeded. Retry after `Retry-After` seconds.',
    headersOf('Retry-After', 'RateLimit', 'RateLimit-Policy'),
    {
      invalidKeys: new ServiceError('RATE_LIMITED', 'Too many invalid API keys came from your address. Please wait.'),
    },
  ),
  InternalServerError: errorResponse(
    'An internal error. The log has the cause; search for the `X-Request-Id`.',
    headersOf(),
    { unforeseen: new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error.') },
  ),
  ServiceUnavailable: errorResponse(
    'The database is unreachable, or the service is overloaded or shutting down. Retry after `Retry-After` seconds.',
    headersOf('Retry-After'),
    {
      unavailable: new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.'),
    },
  ),
} as const satisfies Record<string, OpenApiResponse>;

/** Every error status that an operation can respond with (`docs/contract.md` 2), in order. */
export function errorResponsesOf(requirements: Requirements): Record<string, OpenApiResponse | Reference> {
  const { route, writes } = requirements;
  const hasBody = route.input === 'body';
  return {
    ...(route.input !== 'none' && { 400: invalid(requirements) }),
    401: unauthenticated(requirements),
    ...(isForbidden(requirements) && { 403: forbidden(requirements) }),
    ...(route.refersTo && { 404: missing(route.refersTo) }),
    405: wrongMethod(requirements),
    ...(writes && { 409: common('IdempotencyConflict') }),
    ...(hasBody && { 413: common('BodyTooLarge'), 415: common('UnsupportedMediaType') }),
    ...(writes && { 422: common('IdempotencyMismatch') }),
    ...(isOfAnySize(route) && { 422: common('ResponseTooLarge') }),
    429: common('TooManyRequests'),
    500: common('InternalServerError'),
    503: common('ServiceUnavailable'),
  };
}

/** Whether the response has a list of any length. */
const isOfAnySize = ({ method, selection }: Route): boolean =>
  method === 'GET' && selection.some(({ name }) => name === 'branches');

function common(name: keyof typeof commonErrorResponses): Reference {
  return { $ref: `#/components/responses/${name}` };
}

function invalid({ name, route, inputSchema }: Requirements): OpenApiResponse {
  const invalid = operationTexts[name]?.invalid;
  const fields =
    route.input === 'path' || inputSchema === undefined
      ? validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] })
      : errorThrownBy(() => validateInput(inputSchema, invalid));
  const unreadable = route.input === 'body' && { unreadable: new BodyError(400, 'The body is not valid JSON.') };
  return errorResponse('The input is invalid. All problems are reported at once, by field.', headersOf(), {
    fields,
    ...unreadable,
  });
}

function unauthenticated({ access }: Requirements): OpenApiResponse {
  return errorResponse('The credential is missing or invalid.', headersOf('WWW-Authenticate'), {
    missing: apiKeyMissing(),
    invalid: apiKeyInvalid(),
    ...(access !== 'key' && { noUser: userNotAuthenticated() }),
  });
}

const callerWithoutPermissions = {
  userId: 1,
  name: 'ada',
  active: true,
  ...rightsOf(lowestRole),
  keyId: 1,
  expiresAt: null,
};

function isForbidden({ access, writes }: Requirements): boolean {
  return needsPermission(access) || writes;
}

/** Whether an operation requires more than an active user. */
export function needsPermission(access: Access): boolean {
  return access !== 'key' && access !== 'user';
}

function forbidden({ access, writes }: Requirements): OpenApiResponse {
  const errorFor = (readOnly: boolean) =>
    errorThrownBy(() =>
      authorize({ ...callerWithoutPermissions, readOnly }, { access, transaction: writes && 'short' }),
    );
  return errorResponse('The user lacks the permission, or the key is read-only.', headersOf(), {
    ...(needsPermission(access) && { permission: errorFor(false) }),
    ...(writes && { readOnly: errorFor(true) }),
  });
}

function missing(kind: 'Program' | 'Branch'): OpenApiResponse {
  const what = kind.toLowerCase();
  return errorResponse(`The ${what} does not exist or has been deleted.`, headersOf(), {
    unknown: notFound(kind, unknownIdentifier),
  });
}

function wrongMethod({ allowed }: Requirements): OpenApiResponse {
  const headers = { ...headersOf(), Allow: allowHeader(allowed) };
  return errorResponse('The path does not support this method.', headers, {
    method: new ServiceError('NOT_FOUND', methodNotAllowed('PUT', allowed)),
  });
}
