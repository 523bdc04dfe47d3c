import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../auth/caller.ts';
import { cacheKeyByCaller } from '../cache/key.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { cacheScopeOf, dependenciesOf } from '../graphql/execution/cache-scope.ts';
import { type Operation, prepareOperation } from '../graphql/execution/operation.ts';
import { representationOf } from '../http/representation.ts';
import type { ContextOf } from './create-endpoint.ts';
import { type Address, type Input, inputOfAddress } from './request-input.ts';
import { sendRepresentation } from './respond.ts';
import type { Route } from './routes.ts';

/** A parsed GET: the operation's validated input, and the cache key for a caller. */
export interface ParsedRead {
  readonly input: Input;
  keyFor(caller: Caller): string;
}

/**
 * Parses the URL of a GET; used by the endpoint and by the fast path.
 *
 * @throws ServiceError `VALIDATION_FAILED`, or `NOT_FOUND` for an id above the largest.
 */
export function parseRead(route: Route, operation: Operation, address: Address): ParsedRead {
  const input = operation.check(inputOfAddress(route, address));
  return { input, keyFor: cacheKeyByCaller(route.path, JSON.stringify(input)) };
}

interface ReadOptions {
  readonly schema: GraphQLSchema;
  readonly responseCache: ResponseCache;
  readonly contextOf: ContextOf;
}

/**
 * Creates the handler of a route that reads: permission, validation, cache lookup (`docs/contract.md` 2), then the
 * operation, whose data is the body.
 */
export function readEndpoint(route: Route, { schema, responseCache, contextOf }: ReadOptions): RequestHandler {
  const operation = prepareOperation(schema, route.document);
  const scope = cacheScopeOf(schema, route.document);
  if (scope === 'uncacheable') throw new Error(`The results of ${route.path} cannot be cached.`);
  const readThrough = responseCache.readThrough((content) => content);

  return async (request, response) => {
    const context = contextOf(response);
    operation.authorize(context.caller);
    const id = request.params['id'];
    const { input, keyFor } = parseRead(route, operation, {
      id: typeof id === 'string' ? id : '',
      query: request.originalUrl.split('?').slice(1).join('?'),
    });
    const content = await readThrough(keyFor(context.caller), async () => {
      const result = representationOf(JSON.stringify(await operation.run(context, input)));
      return { result, cacheable: { content: result, dependencies: dependenciesOf(scope, context) } };
    });
    sendRepresentation(request, response, content);
  };
}
