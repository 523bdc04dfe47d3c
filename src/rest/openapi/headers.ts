import { replayedHeader } from '../../http/idempotency-key.ts';
import type { Header, Parameter, Reference } from './types.ts';

const requestId = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' };
const requestIdExample = '0193f2c1-7c1e-7b7a-9a55-3f0f3c0d9b1e';
const entityTag = '"hLxG3vq2zK8rT0wQ5yB7nM1cD4e"';

/** Headers that requests may have. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to repeat this request: the first outcome is kept for 24 hours and given to every repeat. A text of your own, such as a UUID: 1 to 255 visible ASCII characters, quoted or bare.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$' },
    example: 'a3f1c6de-4b0e-4d36-9c56-5a0f7c6f1f6b',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer. If nothing has changed since, the answer is 304 and has no body.',
    schema: { type: 'string' },
    example: entityTag,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own name for the request; it is sent back, and is on every line of the log.',
    schema: requestId,
    example: requestIdExample,
  },
} as const satisfies Record<string, Parameter>;

/** Headers that answers have. `required`: every answer that names it has it. */
export const headers = {
  'X-Request-Id': {
    description: 'The name of the request: yours, when it is fit to be sent back, else a new one.',
    required: true,
    schema: requestId,
    example: requestIdExample,
  },
  ETag: {
    description: 'A strong tag of the content, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: entityTag,
  },
  Location: {
    description: 'Where the new record can be read.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  [replayedHeader]: {
    description: '`true` when this is the outcome of an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', pattern: '^true$' },
  },
  'WWW-Authenticate': {
    description: 'The scheme that would be accepted in `Authorization`.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that this path knows.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'The number of seconds after which a repeat may succeed.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '2',
  },
} as const satisfies Record<string, Header>;

/** Points at headers of the answers, by name; `X-Request-Id` is on all of them. */
export function headersOf(...names: (keyof typeof headers)[]): Record<string, Reference> {
  return Object.fromEntries([...names, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
