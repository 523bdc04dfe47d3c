import type { z } from 'zod';
import { identifiersExhausted, notFound } from '../../academics/identifier.ts';
import { validateInput, validationFailed } from '../../academics/validate.ts';
import { apiKeyInvalid, apiKeyMissing, userNotAuthenticated } from '../../auth/errors.ts';
import { ServiceError } from '../../errors.ts';
import { type Access, authorize } from '../../graphql/access.ts';
import { BodyError } from '../../http/json-body.ts';
import type { Route } from '../routes.ts';
import { errorResponse, errorThrownBy } from './errors.ts';
import { exampleRequests, unknownIdentifier } from './examples.ts';
import { headers as answerHeaders, headersOf } from './headers.ts';
import type { OpenApiResponse, Reference } from './types.ts';

/** What the refusals of an operation depend on. */
export interface Requirements {
  readonly name: string;
  readonly route: Route;
  readonly access: Access;
  readonly writes: boolean;
  readonly inputSchema: z.ZodType | undefined;
  /** The methods that its path knows, as `Allow` lists them. */
  readonly allowed: string;
}

/** The refusals that are the same wherever they occur. */
export const commonErrorResponses = {
  IdempotencyConflict: errorResponse('The first request with this `Idempotency-Key` has not ended yet.', headersOf(), {
    running: new ServiceError('CONFLICT', 'The first request with this Idempotency-Key is still running.'),
  }),
  IdempotencyMismatch: errorResponse('This `Idempotency-Key` belongs to another request.', headersOf(), {
    otherBody: new ServiceError('CONFLICT', 'This Idempotency-Key was used before with another body.'),
  }),
  BodyTooLarge: errorResponse('The body is larger than the service takes.', headersOf(), {
    tooLarge: new BodyError(413, 'The body must be at most 102400 bytes long.'),
  }),
  UnsupportedMediaType: errorResponse('The body is not sent as JSON.', headersOf(), {
    notJson: new BodyError(415, 'The body must be sent as Content-Type: application/json.'),
  }),
  TooManyRequests: errorResponse(
    'Too much was asked in too short a time. Wait, then repeat.',
    headersOf('Retry-After'),
    {
      guessing: new ServiceError('RATE_LIMITED', 'Too many invalid API keys came from your address. Please wait.'),
    },
  ),
  InternalServerError: errorResponse(
    'Something went wrong on our side. The log has the cause, under the `X-Request-Id`.',
    headersOf(),
    { unforeseen: new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error.') },
  ),
  ServiceUnavailable: errorResponse(
    'The database cannot be reached, or the service is stopping. Wait, then repeat.',
    headersOf('Retry-After'),
    {
      unavailable: new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.'),
    },
  ),
  InsufficientStorage: errorResponse(
    'The database has used up the identifiers of a kind of record. To repeat the request is of no use.',
    headersOf(),
    { exhausted: identifiersExhausted() },
  ),
} as const satisfies Record<string, OpenApiResponse>;

/** Every status other than success that an operation can answer with (`docs/contract.md` 2), in order. */
export function errorResponsesOf(demands: Requirements): Record<string, OpenApiResponse | Reference> {
  const { route, writes } = demands;
  const hasBody = route.input === 'body';
  return {
    ...(route.input !== 'none' && { 400: invalid(demands) }),
    401: unauthenticated(demands),
    ...(isForbidden(demands) && { 403: forbidden(demands) }),
    ...(route.refersTo && { 404: missing(route.refersTo.kind) }),
    405: wrongMethod(demands),
    ...(writes && { 409: common('IdempotencyConflict') }),
    ...(hasBody && { 413: common('BodyTooLarge'), 415: common('UnsupportedMediaType') }),
    ...(writes && { 422: common('IdempotencyMismatch') }),
    429: common('TooManyRequests'),
    500: common('InternalServerError'),
    503: common('ServiceUnavailable'),
    ...(writes && { 507: common('InsufficientStorage') }),
  };
}

function common(name: keyof typeof commonErrorResponses): Reference {
  return { $ref: `#/components/responses/${name}` };
}

function invalid({ name, route, inputSchema }: Requirements): OpenApiResponse {
  const bad = exampleRequests[name]?.bad;
  const fields =
    route.input === 'path' || inputSchema === undefined
      ? validationFailed({ id: ['id must be a whole number in decimal digits, without leading zeros.'] })
      : errorThrownBy(() => validateInput(inputSchema, bad));
  const unreadable = route.input === 'body' && { unreadable: new BodyError(400, 'The body is not valid JSON.') };
  return errorResponse('The input is invalid. All problems are reported at once, each under its field.', headersOf(), {
    fields,
    ...unreadable,
  });
}

function unauthenticated({ access }: Requirements): OpenApiResponse {
  return errorResponse('The service does not know who you are.', headersOf('WWW-Authenticate'), {
    missing: apiKeyMissing(),
    invalid: apiKeyInvalid(),
    ...(access !== 'key' && { noUser: userNotAuthenticated() }),
  });
}

const nobody = { name: 'ada', active: true, permissions: new Set<never>(), keyId: 1, expiresAt: null };

function isForbidden({ access, writes }: Requirements): boolean {
  return needsPermission(access) || writes;
}

/** Whether an operation asks for more than an active user. */
export function needsPermission(access: Access): boolean {
  return access !== 'key' && access !== 'user';
}

function forbidden({ access, writes }: Requirements): OpenApiResponse {
  const refused = (readOnly: boolean) => errorThrownBy(() => authorize({ ...nobody, readOnly }, { access, writes }));
  return errorResponse('You may not do this.', headersOf(), {
    ...(needsPermission(access) && { permission: refused(false) }),
    ...(writes && { readOnly: refused(true) }),
  });
}

function missing(kind: 'Program' | 'Branch'): OpenApiResponse {
  const what = kind.toLowerCase();
  return errorResponse(`The ${what} does not exist, or no longer exists.`, headersOf(), {
    unknown: notFound(kind, unknownIdentifier),
  });
}

function wrongMethod({ allowed }: Requirements): OpenApiResponse {
  const headers = { ...headersOf('Allow'), Allow: { ...answerHeaders.Allow, example: allowed } };
  return errorResponse('This path was asked with a method that it does not know.', headers, {
    method: new ServiceError('NOT_FOUND', `PUT is not allowed here; use ${allowed}.`),
  });
}
