import type { JsonBodyReader } from '@service/http/json-body';
import { sendMethodNotAllowed, sendPathNotFound } from '@service/http/send';
import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { ResponseCache } from '../cache/response-cache.ts';
import { createHandler } from './create-handler.ts';
import type { ContextOf, RestEndpoint } from './operation.ts';
import { readHandler } from './read-handler.ts';
import { allowedMethods } from './routes.ts';

interface RestOptions {
  readonly schema: GraphQLSchema;
  readonly endpoints: readonly RestEndpoint[];
  readonly readBody: JsonBodyReader;
  readonly contextOf: ContextOf;
  readonly responseCache: ResponseCache;
}

/** The REST router below `/v1`: every endpoint, 405 for other methods, 404 for other paths. */
export function createRestRouter({ schema, endpoints, readBody, contextOf, responseCache }: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const resource = router.route(path);
    for (const endpoint of endpoints.filter((one) => one.path === path)) {
      if (endpoint.method === 'GET') resource.get(readHandler(endpoint, { schema, responseCache, contextOf }));
      else resource.post(createHandler(endpoint, readBody, contextOf));
    }
    const allowed = allowedMethods(path);
    resource.all(({ method }, response) => sendMethodNotAllowed(response, method, allowed));
  }
  router.use((_request, response) => sendPathNotFound(response));
  return router;
}
