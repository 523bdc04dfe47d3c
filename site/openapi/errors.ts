import { ServiceError } from '@service/errors';
import { messagesOf } from '@service/errors/problems';
import { errorCodeHeader } from '@service/http/errors';
import { headersOf } from './headers.ts';
import type { Example, Header, MediaTypes, OpenApiResponse, Reference, Schema } from './types.ts';

/** The bodies of errors (`docs/contract.md` 2). */
export const errorSchemas = {
  ErrorBody: {
    type: 'object',
    description: 'Why the request was rejected.',
    required: ['message'],
    properties: {
      message: {
        type: 'string',
        description: 'A message for people; programs use the status, or the header `X-Error-Code`.',
      },
    },
  },
  ValidationErrorBody: {
    type: 'object',
    description: 'All problems with the input, at once.',
    required: ['message', 'errors'],
    properties: {
      message: { type: 'string', description: 'A summary.' },
      errors: {
        type: 'object',
        description: 'Messages by field name; under `body` when the body is not a JSON object.',
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      },
    },
  },
} as const satisfies Record<string, Schema>;

type Headers = Readonly<Record<string, Header | Reference>>;

/** Describes an error response, with an example for each reason. */
export function errorResponse(
  description: string,
  headers: Headers,
  reasons: Record<string, ServiceError>,
): OpenApiResponse {
  const examples = Object.fromEntries(
    Object.entries(reasons).map(([name, error]): [string, Example] => [
      name,
      { summary: error.message, value: bodyOf(error) },
    ]),
  );
  return { description, headers: { ...headers, ...headersOf(errorCodeHeader) }, content: jsonOf(reasons, examples) };
}

function jsonOf(reasons: Record<string, ServiceError>, examples: Readonly<Record<string, Example>>): MediaTypes {
  const hasErrors = Object.values(reasons).some(({ errors }) => errors !== undefined);
  const $ref = `#/components/schemas/${hasErrors ? 'ValidationErrorBody' : 'ErrorBody'}`;
  return { 'application/json': { schema: { $ref }, examples } };
}

function bodyOf({ message, errors }: ServiceError): unknown {
  return { message, ...(errors && { errors: messagesOf(errors) }) };
}

/** Throws when the check does not. */
export function errorThrownBy(check: () => unknown): ServiceError {
  try {
    check();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The example of an error response is accepted.');
}
