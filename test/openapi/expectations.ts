import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Response } from 'supertest';
import { expect } from 'vitest';
import { createOpenApi } from '../../site/openapi/document.ts';
import type { Header, OpenApiResponse, Operation, Parameter, Reference, Schema } from '../../site/openapi/types.ts';
import { schema } from '../../src/doors/graphql/schema.ts';
import { version } from '../../src/installation.ts';

export const document = createOpenApi(schema, version);

/** An operation of the document and its path. */
export interface Described {
  readonly method: 'get' | 'post' | 'patch';
  /** Below `{base_url}`, with its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

export const operations: readonly Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
  (['get', 'post', 'patch'] as const).flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ method, path, operation }];
  }),
);

const firstOnes = ['createProgram', 'createBranch'];

/** The operations in an order in which their example requests build the catalog of the examples. */
export const inOrder = operations.toSorted((one, other) => rank(one.operation) - rank(other.operation));

function rank({ operationId }: Operation): number {
  const place = firstOnes.indexOf(operationId);
  return place === -1 ? firstOnes.length : place;
}

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addSchema({ $id: 'document', $defs: closed(document.components.schemas) });

/** Responses must have exactly the documented fields, though clients must accept additional ones. */
function closed(schemas: object): object {
  return JSON.parse(JSON.stringify(pointed(schemas)), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  );
}

/** Rewrites references to where the validator has the schemas. */
function pointed(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/'));
}

/** The validation errors of a value against a schema of the document. */
export function problemsWith(schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(pointed(schema));
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The target of a reference, or the part itself. */
export function resolved<Part extends object>(part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const keys = part.$ref.split('/').slice(1);
  const found = keys.reduce<unknown>((within, key) => Reflect.get(Object(within), key), document);
  if (typeof found !== 'object' || found === null) throw new Error(`${part.$ref} has no target.`);
  // A reference has a target of the kind that is expected in its place.
  return found as Part;
}

export function parametersOf(operation: Operation): Parameter[] {
  return operation.parameters.map((parameter) => resolved<Parameter>(parameter));
}

export function responseOf(operation: Operation, status: number | string): OpenApiResponse {
  const response = operation.responses[status];
  if (response === undefined) throw new Error(`${operation.operationId} does not describe ${status}.`);
  return resolved<OpenApiResponse>(response);
}

export function examplesOf({ content }: Pick<OpenApiResponse, 'content'>): Record<string, unknown> {
  const examples = Object.entries(content?.['application/json'].examples ?? {});
  return Object.fromEntries(examples.map(([name, { value }]) => [name, value]));
}

/** Expects the status, headers and body of a response to be as documented. */
export function expectDescribed({ operation }: Described, response: Response): void {
  const { headers, content } = responseOf(operation, response.status);
  for (const [name, reference] of Object.entries(headers)) {
    const header = resolved<Header>(reference);
    const value: unknown = response.headers[name.toLowerCase()];
    if (header.required || value !== undefined) expect(problemsWith(header.schema, value), name).toEqual([]);
  }
  if (content === undefined) {
    expect(response.text).toBe('');
    return;
  }
  expect(response.type).toBe('application/json');
  expect(problemsWith(content['application/json'].schema, response.body)).toEqual([]);
}
