import { errorCodes } from '@service/errors';
import { errorCodeHeader } from '@service/http/errors';
import { replayedHeader } from '@service/http/idempotency-key';
import { ignoredHeader } from '../../src/doors/rest/ignored.ts';
import { basePath } from '../../src/doors/rest/routes.ts';
import type { Header, Parameter, Reference } from './types.ts';

const requestId = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' };
const requestIdExample = '0193f2c1-7c1e-7b7a-9a55-3f0f3c0d9b1e';
const entityTag = '"hLxG3vq2zK8rT0wQ5yB7nM1cD4e"';

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe: the first response is stored for 24 hours and replayed for every retry. A unique value such as a UUID: 1 to 255 visible ASCII characters, quoted or bare.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$' },
    example: 'a3f1c6de-4b0e-4d36-9c56-5a0f7c6f1f6b',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an earlier response. If the content has not changed since, the response is 304 without a body.',
    schema: { type: 'string' },
    example: entityTag,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id for the request; it is returned and included in every log line.',
    schema: requestId,
    example: requestIdExample,
  },
} as const satisfies Record<string, Parameter>;

/** Response headers. `required`: present on every response that lists it. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request: yours if valid, else a generated one.',
    required: true,
    schema: requestId,
    example: requestIdExample,
  },
  [errorCodeHeader]: {
    description: 'The code of the error, as in GraphQL, for programs. [What each means](/docs/errors) never changes.',
    required: true,
    schema: { type: 'string', enum: errorCodes },
    example: 'NOT_FOUND',
  },
  Link: {
    description:
      'The addresses of the first and the last page, and of the previous and the next one where there are such (RFC 8288).',
    required: true,
    schema: { type: 'string' },
    example: ['first', 'last']
      .map((relation) => `<${basePath}/api/academics/programs?page=1&size=20>; rel="${relation}"`)
      .join(', '),
  },
  ETag: {
    description: 'A strong entity tag, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: entityTag,
  },
  [replayedHeader]: {
    description:
      '`true` when the response is replayed from an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', pattern: '^true$' },
  },
  [ignoredHeader]: {
    description:
      'The names of query parameters and fields of the body that have no effect, percent-encoded: the first ten. Absent when all have one.',
    schema: { type: 'string' },
    example: 'pageNumber',
  },
  'WWW-Authenticate': {
    description:
      'The authentication scheme that `Authorization` accepts, and what is wrong with the credential (RFC 6750).',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="academic-structure", error="invalid_token"',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '2',
  },
  RateLimit: {
    description: 'When a rate limit is set: the requests left (`r`), and the seconds until the window ends (`t`).',
    schema: { type: 'string', pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
    example: '"default";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'When a rate limit is set: the requests (`q`) per window of `w` seconds.',
    schema: { type: 'string', pattern: '^"default";q=[0-9]+;w=[0-9]+$' },
    example: '"default";q=600;w=60',
  },
} as const satisfies Record<string, Header>;

export function locationHeader(example: string): Header {
  return {
    description: 'The URL of the new record.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example,
  };
}

export function allowHeader(allowed: string): Header {
  return {
    description: 'The methods that this path supports.',
    required: true,
    schema: { type: 'string' },
    example: allowed,
  };
}

/** References to response headers, by name; every response has `X-Request-Id`. */
export function headersOf(...names: (keyof typeof headers)[]): Record<string, Reference> {
  return Object.fromEntries([...names, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
