import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import type { ExecutionPlugin } from '@service/graphql-server/context';
import { graphqlError } from '@service/graphql-server/errors';
import { createGraphqlHandler, type HandlerOptions } from '@service/graphql-server/handler';
import { acceptsOnlyEvents } from '@service/graphql-server/request';
import { responseWithErrors } from '@service/graphql-server/response-format';
import { executeWithinLimits, tooLarge } from '@service/graphql-server/response-tally';
import { sendError } from '@service/http/errors';
import { rawBodyOf } from '@service/http/json-body';
import { representationOf } from '@service/http/representation';
import { createTurns } from '@service/http/turns';
import type { RequestHandler } from 'express';
import type { ExecutionArgs } from 'graphql';
import { definitionValuesMax } from '../../academics/definitions/definition-input.ts';
import { saveAttributeDefinition } from '../../academics/definitions/operations.ts';
import { changesMax } from '../../academics/graphql/catalog-changes.ts';
import { dependenciesOf, type ReadResult, type ResponseCache } from '../../cache/response-cache.ts';
import type { Context } from '../../graphql/context.ts';
import { graphqlCacheKey } from '../../operations/cache-keys.ts';
import { toServiceError } from '../../operations/errors.ts';
import { Reading, type RequestState } from '../../operations/request.ts';
import { pageSizeDefault, pageSizeMax } from '../../validation/pages.ts';
import { stateOf } from '../authenticate-request.ts';
import type { CacheableRequest } from '../cacheable-request.ts';
import { cacheScopeOf } from './cache-scope.ts';
import { executeAsJson, type JsonResult } from './execute-as-json.ts';
import { type Result, useIdempotency } from './idempotency.ts';
import { useWarnings } from './warnings.ts';

type OptionsOfHandler = 'schema' | 'responseBytesMax' | 'readBody' | 'admission' | 'persistedOperations';

interface EndpointOptions extends Pick<HandlerOptions<Context>, OptionsOfHandler> {
  readonly responseCache: ResponseCache;
}

interface GraphqlEndpoint {
  readonly handler: RequestHandler;
  /** How the fast path executes a query that has been validated before; `undefined` for any other. */
  readonly prepare: CacheableRequest['prepare'];
}

/** Creates the endpoint `/graphql`, with the lists, events and errors of this schema. */
export function createGraphqlEndpoint({ responseCache, ...options }: EndpointOptions): GraphqlEndpoint {
  const { handler, knownQuery } = createGraphqlHandler<Context>({
    ...options,
    contextOf: (request) => contextOf(stateOf(request)),
    toServiceError,
    lists: {
      sizeArguments: ['size', 'first', 'last'],
      pageSizeDefault,
      pageSizeMax,
      longerPages: new Map([['catalogChanges', changesMax]]),
      longerVariables: new Map([[saveAttributeDefinition.name, definitionValuesMax]]),
      // The branches of a program, the years of a branch.
      assumedLength: 10,
      // A page by number is counted in any case. The price is as many fields as take that long.
      counts: {
        argument: 'page',
        field: 'totalCount',
        filterArgument: 'filter',
        filteredCost: 1_000,
        conditionCost: 100,
      },
    },
    // A mutation is claimed by its idempotency key before it is executed.
    plugins: [useWarnings(), useIdempotency(), useResponseCache(responseCache)],
    cacheKeyOf: (request, { state }) => {
      const { method, originalUrl: address } = request;
      return graphqlCacheKey({ method, address, body: rawBodyOf(request) }, state.caller);
    },
    // A RELOAD may have the id of the event before it.
    eventKeyOf: ({ id, action, programId }) => `${id}\n${action}\n${programId}`,
    sharersOf: ({ reading }) => reading.sharers,
    contextForEvent: (context) => ({ ...context, reading: new Reading(context.state) }),
  });
  return {
    handler,
    prepare: (state, key, body) => {
      // A span has all of an operation, with what Yoga does in an error.
      if (body === undefined || state.app.tracing !== undefined) return undefined;
      const context = contextOf(state);
      const args = knownQuery(body, context);
      if (args === undefined || !isCacheable(args)) return undefined;
      return async () => {
        const { content, result = {} } = await readThrough(responseCache, args, { ...context, cacheKey: key });
        if (content !== undefined) return { content };
        const { text, headers } = responseWithErrors(result, context, {
          toServiceError,
          responseBytesMax: options.responseBytesMax,
        });
        return { content: representationOf(text), headers };
      };
    },
  };
}

const contextOf = (state: RequestState): Context => ({ state, reading: new Reading(state) });

const isCacheable = (args: ExecutionArgs): boolean => cacheScopeOf(args) !== 'uncacheable';

/** Caches the results of queries without errors; identical queries in flight share one execution. */
function readThrough(
  responseCache: ResponseCache,
  args: ExecutionArgs,
  context: Context & { readonly cacheKey: string },
): Promise<ReadResult> {
  return responseCache.readThrough(context.cacheKey, context.reading.sharers, async () => {
    const result: JsonResult = (await executeAsJson(args, context)) ?? (await executeWithinLimits(args));
    const dependencies = dependenciesOf(cacheScopeOf(args), context.reading.dependencies);
    if (result.errors !== undefined) return { result, dependencies };
    const content = representationOf(result.json === undefined ? JSON.stringify(result) : `{"data":${result.json}}`);
    const { responseBytesMax } = context.reading;
    return content.bytes > responseBytesMax
      ? { result: tooLarge(responseBytesMax), dependencies }
      : { content, dependencies };
  });
}

/** Bytes of responses that Yoga writes in one turn of the event loop: equal queries in flight end together. */
const responseBytesPerTurn = 1_000_000;
const turnFor = createTurns(responseBytesPerTurn);

async function resultOf({ content, result = {} }: ReadResult, { state }: Context): Promise<Result> {
  if (content === undefined) return result;
  await turnFor(content.bytes, () => state.account);
  return { data: null, stringify: () => content.text, body: content.body };
}

function useResponseCache(responseCache: ResponseCache): ExecutionPlugin<Context> {
  return {
    onExecute: ({ args, setExecuteFn }) => {
      const { contextValue } = args;
      if (!isCacheable(args)) return;
      // Executes to the end, even if the client disconnects: others may wait for it.
      setExecuteFn(async (args) => resultOf(await readThrough(responseCache, args, contextValue), contextValue));
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
