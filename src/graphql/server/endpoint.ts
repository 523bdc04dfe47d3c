import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import type { ExecutionPlugin } from '@service/graphql-server/context';
import { graphqlError } from '@service/graphql-server/errors';
import { createGraphqlHandler, type HandlerOptions } from '@service/graphql-server/handler';
import { acceptsOnlyEvents } from '@service/graphql-server/request';
import { rawBodyOf } from '@service/http/json-body';
import { representationOf, sendError } from '@service/http/send';
import type { RequestHandler } from 'express';
import type { ExecutionResult } from 'graphql';
import { changesMax } from '../../academics/graphql/catalog-changes.ts';
import { createLoaders } from '../../academics/sql/loaders.ts';
import { cacheMissOf, dependenciesOf, graphqlCacheKey, type ResponseCache } from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import { pageSizeDefault, pageSizeMax } from '../../validation/lists.ts';
import { toServiceError } from '../errors.ts';
import { cacheScopeOf } from './cache-scope.ts';
import { useIdempotency } from './idempotency.ts';
import { useWarnings } from './warnings.ts';

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
      longerPages: new Map([['catalogChanges', changesMax]]),
      // The branches of a program, the years of a branch.
      assumedLength: 10,
      // A page with a number is counted in any case. As many fields as its price take as long.
      counts: { argument: 'page', field: 'totalCount', filterArgument: 'filter', filteredCost: 1_000 },
    },
    // A mutation is claimed by its idempotency key before it is executed.
    plugins: [useWarnings(), useIdempotency(), useResponseCache(responseCache)],
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

/** An execution result; Yoga calls `stringify`, if present, for the body of the response. */
type CachedResult = ExecutionResult & { readonly stringify?: () => string };

/** Caches the results of queries without errors; identical queries in flight share one execution. */
function useResponseCache(responseCache: ResponseCache): ExecutionPlugin<RequestContext> {
  const readThrough = responseCache.readThrough<CachedResult>(({ text }) => ({ data: null, stringify: () => text }));
  return {
    onExecute: ({ args: { schema, document, contextValue }, executeFn, setExecuteFn }) => {
      const scope = cacheScopeOf(schema, document);
      if (scope === 'uncacheable') return;
      setExecuteFn((args) =>
        readThrough(contextValue.cacheKey, async () => {
          const result: CachedResult = await executeFn(args);
          if (result.errors !== undefined) return { result };
          const text = JSON.stringify(result);
          const content = representationOf(text);
          const dependencies = dependenciesOf(scope, contextValue);
          return { result: { ...result, stringify: () => text }, cacheable: { content, dependencies } };
        }),
      );
    },
  };
}

/** An error before execution (`docs/contract.md` 7). */
export function sendGraphqlError(response: ServerResponse, error: ServiceError): void {
  const formatted = graphqlError(error).toJSON();
  const hint = hintFor(response.req, error);
  const extensions = { ...formatted.extensions, ...(hint && { hint }) };
  sendError(response, error, { errors: [{ ...formatted, extensions }] });
}

/** `EventSource` in a browser sends no key and shows no error, so its author sees only the response. */
function hintFor({ headers }: IncomingMessage, { code }: ServiceError): string | undefined {
  const isEventSource = acceptsOnlyEvents(headers.accept) && headers['sec-fetch-mode'] !== undefined;
  if (code !== 'API_KEY_MISSING' || !isEventSource) return undefined;
  return 'EventSource cannot send a key: use fetch, graphql-sse or graphql-ws (/docs/recipes).';
}
