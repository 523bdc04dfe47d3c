import { createGraphqlHandler, type HandlerOptions } from '@service/graphql-server/handler';
import { rawBodyOf } from '@service/http/json-body';
import type { RequestHandler } from 'express';
import { createLoaders } from '../../academics/sql/loaders.ts';
import { cacheMissOf } from '../../cache/cache-miss.ts';
import { graphqlCacheKey } from '../../cache/key.ts';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import { pageSizeDefault, pageSizeMax } from '../../validation/page.ts';
import { toServiceError } from '../errors.ts';
import { useIdempotency } from './idempotency.ts';
import { useResponseCache } from './response-cache.ts';

type Given = 'schema' | 'readBody' | 'contextOf' | 'admission' | 'persistedOperations';

interface EndpointOptions extends Pick<HandlerOptions<RequestContext>, Given> {
  readonly responseCache: ResponseCache;
}

/** Creates the handler of `/graphql`, with the lists, events and errors of this schema. */
export function createGraphqlEndpoint({ responseCache, ...given }: EndpointOptions): RequestHandler {
  return createGraphqlHandler<RequestContext>({
    ...given,
    toServiceError,
    lists: {
      sizeArguments: ['size', 'first', 'last'],
      pageSizeDefault,
      pageSizeMax,
      // The branches of a program, the years of a branch.
      assumedLength: 10,
      // A page with a number is counted in any case. As many fields as its price take as long.
      counts: { argument: 'page', field: 'totalCount', filterArgument: 'filter', filteredCost: 1_000 },
    },
    // A mutation is claimed by its idempotency key before it is executed.
    plugins: [useIdempotency(), useResponseCache(responseCache)],
    // As the fast path has passed it on, else computed here.
    cacheKeyOf: (request, { caller }) => {
      const { method, originalUrl: address } = request;
      return (
        cacheMissOf(request, caller)?.key ?? graphqlCacheKey({ method, address, body: rawBodyOf(request) }, caller)
      );
    },
    // A RELOAD may have the id of the event before it.
    eventKeyOf: ({ id, action, programId }) => `${id}\n${action}\n${programId}`,
    contextForEvent: (context) => ({ ...context, loaders: createLoaders(context.db) }),
  });
}
