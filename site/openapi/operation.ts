import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import { ignoredHeader } from '../../src/doors/rest/ignored.ts';
import { basePath, hasId, listParameters, type Route } from '../../src/doors/rest/routes.ts';
import type { Access } from '../../src/operations/access.ts';
import { errorResponsesOf, needsPermission } from './error-responses.ts';
import { exampleOfType } from './examples.ts';
import { headersOf, locationHeader } from './headers.ts';
import { type InputSchema, inputSchemaOf } from './input-schema.ts';
import { type ResponseSchemas, selectFrom } from './response-schema.ts';
import { operationTexts } from './texts.ts';
import type { MediaTypes, OpenApiResponse, Operation, Parameter, Reference, Schema } from './types.ts';

export interface Shared {
  readonly responses: ResponseSchemas;
  /** The schemas of request bodies, by the name of their GraphQL type. */
  readonly bodies: Record<string, Schema>;
}

/** Describes an endpoint: its input by the schema that validates it, its response by the selection of its document. */
export function describeOperation(schema: GraphQLSchema, route: Route, allowed: string, shared: Shared): Operation {
  const { name, operation, selection } = route;
  const { access, input: inputSchema } = operation;
  const writes = route.method !== 'GET';
  const field = schema.getRootType(writes ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY)?.getFields()[
    operation.name
  ];
  const texts = operationTexts[name];
  if (texts === undefined || field === undefined) throw new Error(`The operation ${name} is not described.`);
  const inputOf = (names: readonly string[]): InputSchema => inputSchemaOf(field, inputSchema, names);
  const example = selectFrom(exampleOfType[typeNameOf(String(field.type))], selection);
  const success = {
    ...successHeaders(route, example),
    content: jsonOf(shared.responses.describe(field.type, selection), texts.success, example),
  };
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    tags: [texts.tag],
    summary: texts.summary,
    description: `${texts.description}\n\n${accessText(access, writes)}`,
    parameters: [
      ...(hasId(route) ? parametersOf('path', name, inputOf(['id'])) : []),
      ...(route.input === 'query' ? parametersOf('query', name, inputOf(listParameters)) : []),
      ...headerParameters(writes),
    ],
    ...(writes && { requestBody: requestBody(name, inputOf(route.fields), shared) }),
    responses: {
      [route.status]: { description: texts.success, ...success },
      ...(!writes && { 304: notModified }),
      ...errorResponsesOf({ name, route, access, writes, inputSchema, allowed }),
    },
  };
}

/** Not a reference: client generators expect content in the response that one refers to. */
const notModified: OpenApiResponse = {
  description: 'Not modified since the response with this `ETag`.',
  headers: headersOf('ETag'),
};

function typeNameOf(type: string): string {
  return type.replace(/\W/g, '');
}

function jsonOf(schema: Schema, summary: string, value: unknown): MediaTypes {
  return { 'application/json': { schema, examples: { example: { summary, value } } } };
}

const rateLimitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

function successHeaders(route: Route, example: unknown): Pick<OpenApiResponse, 'headers'> {
  if (route.method === 'GET') {
    const link = route.input === 'query' ? (['Link'] as const) : [];
    return { headers: headersOf('ETag', ...link, ignoredHeader, ...rateLimitHeaders) };
  }
  const id: unknown = typeof example === 'object' && example !== null ? Reflect.get(example, 'id') : undefined;
  const location = route.location && { Location: locationHeader(`${basePath}${route.location}/${id}`) };
  return { headers: { ...location, ...headersOf('Idempotency-Replayed', ignoredHeader, ...rateLimitHeaders) } };
}

function accessText(access: Access, writes: boolean): string {
  if (access === 'key') return 'Requires a valid key only.';
  const required = needsPermission(access) ? `Requires the permission \`${access}\`` : 'Requires an active user';
  return writes ? `${required}; read-only keys are rejected.` : `${required}.`;
}

function parametersOf(location: 'path' | 'query', name: string, input: InputSchema): Parameter[] {
  return Object.entries(input.properties).map(([key, { description = '', ...schema }]) => ({
    name: key,
    in: location,
    required: input.required.includes(key),
    description,
    schema: withoutNull(schema),
    example: operationTexts[name]?.valid?.[key],
  }));
}

/** A URL cannot express `null`. */
function withoutNull(schema: Schema): Schema {
  const [type] = Array.isArray(schema.type) ? schema.type : [];
  return typeof type === 'string' ? { ...schema, type } : schema;
}

function headerParameters(writes: boolean): Reference[] {
  const names = writes ? ['IdempotencyKey', 'RequestId'] : ['IfNoneMatch', 'RequestId'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestBody(name: string, input: InputSchema, { bodies }: Shared): Operation['requestBody'] & object {
  if (input.name === undefined) throw new Error(`The body of ${name} has no GraphQL type.`);
  const { description, required, properties } = input;
  bodies[input.name] = { type: 'object', description, required, properties };
  const schema = { $ref: `#/components/schemas/${input.name}` };
  const valid = Object.entries(operationTexts[name]?.valid ?? {}).filter(([field]) => Object.hasOwn(properties, field));
  const content = jsonOf(schema, description, Object.fromEntries(valid));
  return { required: true, description: `${description} Unknown fields are ignored.`, content };
}
