import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { JsonBodyReader } from '../http/json-body.ts';
import { sendJson, sendMethodNotAllowed } from '../http/send.ts';
import { type ContextOf, createEndpoint } from './create-endpoint.ts';
import { readEndpoint } from './read-endpoint.ts';
import { allowedMethods, basePath, operationNameOf, routes } from './routes.ts';

interface RestOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: ContextOf;
  readonly responseCache: ResponseCache;
}

/** The REST router below `/v1`: every row of the table, 405 for other methods, 404 for other paths. */
export function createRestRouter({ schema, readBody, contextOf, responseCache }: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const rows = routes.filter((route) => route.path === path);
    const resource = router.route(path);
    for (const row of rows) {
      if (row.method === 'GET') resource.get(readEndpoint(row, { schema, responseCache, contextOf }));
      else resource.post(createEndpoint(row, schema, readBody, contextOf));
    }
    const allowed = allowedMethods(path);
    resource.all((request, response) => {
      sendMethodNotAllowed(response, allowed, { message: `${request.method} is not allowed here; use ${allowed}.` });
    });
  }
  router.use((_request, response) => {
    sendJson(response, 404, { message: 'There is no such path.' });
  });
  return router;
}

/** Notes which route a request matches, and its operation: before authentication, for metrics and log. */
export function notePatterns(): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path } of routes) {
    router.all(path, (request, _response, next) => {
      request.pattern = basePath + path;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const row = routes.find((route) => route.path === path && route.method === method);
      request.operation = row && operationNameOf(row);
      next();
    });
  }
  return router;
}
