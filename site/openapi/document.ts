import type { GraphQLSchema } from 'graphql';
import { allowedMethods, basePath, routes } from '../../src/doors/rest/routes.ts';
import { commonErrorResponses } from './error-responses.ts';
import { errorSchemas } from './errors.ts';
import { guide } from './guide.ts';
import { headers, parameters } from './headers.ts';
import { describeOperation, type Shared } from './operation.ts';
import { createResponseSchemas } from './response-schema.ts';
import { tags } from './texts.ts';
import type { OpenApiDocument, PathItem } from './types.ts';

/**
 * Generates the OpenAPI 3.1 document from the routes, the schemas that validate requests and the GraphQL documents.
 * @throws Error when an operation or a type has no description yet.
 */
export function createOpenApi(schema: GraphQLSchema, version: string): OpenApiDocument {
  const shared: Shared = { responses: createResponseSchemas(), bodies: {} };
  const paths = pathsOf(schema, shared);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Academic Structure Service',
      version,
      summary: "A university's programs, their branches and the years of each.",
      description: guide,
      contact: { name: 'The operators of this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: basePath, description: 'This service.' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags,
    paths,
    components: {
      schemas: { ...shared.bodies, ...shared.responses.named, ...errorSchemas },
      parameters,
      headers,
      responses: commonErrorResponses,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key or a JWT, with or without the prefix `Bearer`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The same credential in `Authorization`, for clients that cannot set `x-api-key`, which takes precedence.',
        },
      },
    },
  };
}

function pathsOf(schema: GraphQLSchema, shared: Shared): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const allowed = allowedMethods(route.path);
    const operation = describeOperation(schema, route, allowed, shared);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return paths;
}
