import { ServiceError } from '../../errors.ts';
import type { Example, Header, MediaTypes, OpenApiResponse, Reference, Schema } from './types.ts';

/** The bodies of errors (`docs/contract.md` 2). */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'Why the request was refused.',
    required: ['message'],
    properties: { message: { type: 'string', description: 'A sentence for people. Programs look at the status.' } },
  },
  ValidationError: {
    type: 'object',
    description: 'Everything that is wrong with the input, at once.',
    required: ['message', 'errors'],
    properties: {
      message: { type: 'string', description: 'Summary of the failure.' },
      errors: {
        type: 'object',
        description:
          'What is wrong, by the name of the field; under `body` when the body could not be read as a JSON object.',
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      },
    },
  },
} as const satisfies Record<string, Schema>;

type Headers = Readonly<Record<string, Header | Reference>>;

/** An error's answer, with a body for each reason that it may have. */
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
  return { description, headers, content: jsonOf(reasons, examples) };
}

function jsonOf(reasons: Record<string, ServiceError>, examples: Readonly<Record<string, Example>>): MediaTypes {
  const hasErrors = Object.values(reasons).some(({ errors }) => errors !== undefined);
  const $ref = `#/components/schemas/${hasErrors ? 'ValidationError' : 'Error'}`;
  return { 'application/json': { schema: { $ref }, examples } };
}

function bodyOf({ message, errors }: ServiceError): unknown {
  return { message, ...(errors && { errors }) };
}

/** What a check throws; it must throw. */
export function errorThrownBy(check: () => unknown): ServiceError {
  try {
    check();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The example of a refusal is not refused.');
}
