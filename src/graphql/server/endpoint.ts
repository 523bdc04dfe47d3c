import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import type { ExecutionPlugin } from '@service/graphql-server/context';
import { graphqlError } from '@service/graphql-server/errors';
import { createGraphqlHandler, type HandlerOptions } from '@service/graphql-server/handler';
import { executeJit } from '@service/graphql-server/jit';
import { acceptsOnlyEvents } from '@service/graphql-server/request';
import { sendError } from '@service/http/errors';
import { rawBodyOf } from '@service/http/json-body';
import { representationOf } from '@service/http/representation';
import type { RequestHandler } from 'express';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { changesMax } from '../../academics/graphql/catalog-changes.ts';
import { noDependencies } from '../../academics/sql/dependencies.ts';
import { createLoaders } from '../../academics/sql/loaders.ts';
import {
  cacheMissOf,
  dependenciesOf,
  graphqlCacheKey,
  type ReadResult,
  type ResponseCache,
} from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import { pageSizeDefault, pageSizeMax } from '../../validation/pages.ts';
import { toServiceError } from '../errors.ts';
import { executeWritten, responseText, type WrittenResult } from '../written.ts';
import { cacheScopeOf } from './cache-scope.ts';
import { useIdempotency } from './idempotency.ts';
import { useWarnings } from './warnings.ts';

type Given = 'schema' | 'readBody' | 'contextOf' | 'admission' | 'persistedOperations';

interface EndpointOptions extends Pick<HandlerOptions<RequestContext>, Given> {
  readonly responseCache: ResponseCache;
}

interface GraphqlEndpoint {
  readonly handler: RequestHandler;
  /** Executes a known query past Yoga, for the fast path; `undefined` for any other request. */
  read(context: RequestContext, key: string, body: Buffer): Promise<ReadResult> | undefined;
}

/** Creates the endpoint `/graphql`, with the lists, events and errors of this schema. */
export function createGraphqlEndpoint({ responseCache, ...given }: EndpointOptions): GraphqlEndpoint {
  const readThrough = cachedExecution(responseCache);
  const { handler, prepare } = createGraphqlHandler<RequestContext>({
    ...given,
    // Yoga copies own properties, and these two are getters of a class.
    contextOf: (response) => {
      const context = given.contextOf(response);
      return Object.assign({ db: context.db, loaders: context.loaders }, context);
    },
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
    plugins: [useWarnings(), useIdempotency(), useResponseCache(readThrough)],
    // As the fast path has passed it on, else computed here.
    cacheKeyOf: (request, { caller }) => {
      const { method, originalUrl: address } = request;
      return (
        cacheMissOf(request, caller)?.key ?? graphqlCacheKey({ method, address, body: rawBodyOf(request) }, caller)
      );
    },
    // A RELOAD may have the id of the event before it.
    eventKeyOf: ({ id, action, programId }) => `${id}\n${action}\n${programId}`,
    contextForEvent: (context) => ({ ...context, loaders: createLoaders(context.db, noDependencies()) }),
  });
  return {
    handler,
    read: (context, key, body) => {
      // A span has all of an operation, with what Yoga does in an error.
      const args = context.tracing === undefined ? prepare(body, context) : undefined;
      return args && readThrough(args, context, key)?.(executeJit);
    },
  };
}

/** A shorter text has fewer list items than a response of GraphQL may have: even `{"id":1},` has 9 characters. */
const charactersMax = 900_000;

/** Resolvers count them. */
const mayHaveTooManyItems = (written: WrittenResult | undefined): boolean =>
  written?.text !== undefined && written.text.data.length > charactersMax;

type ReadThrough = (
  execute: (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult,
) => Promise<ReadResult>;

/** Caches the results of queries without errors; identical queries in flight share one execution. */
function cachedExecution(responseCache: ResponseCache) {
  /** `undefined` for an operation whose results cannot be cached. */
  return (args: ExecutionArgs, context: RequestContext, key: string): ReadThrough | undefined => {
    const scope = cacheScopeOf(args.schema, args.document);
    if (scope === 'uncacheable') return undefined;
    return (execute) =>
      responseCache.readThrough(key, async () => {
        const executed = await executeWritten(args, context);
        const written = mayHaveTooManyItems(executed) ? undefined : executed;
        const result = written ?? (await execute(args));
        const dependencies = dependenciesOf(scope, context.dependencies);
        if (result.errors !== undefined) return { result, dependencies };
        const text = written?.text === undefined ? JSON.stringify(result) : responseText(written.text);
        return { content: representationOf(text), dependencies };
      });
  };
}

/** An execution result; Yoga calls `stringify`, if present, for the body of the response. */
type CachedResult = ExecutionResult & { readonly stringify?: () => string };

const resultOf = ({ content, result = {} }: ReadResult): CachedResult =>
  content === undefined ? result : { data: null, stringify: () => content.text };

function useResponseCache(readThrough: ReturnType<typeof cachedExecution>): ExecutionPlugin<RequestContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { contextValue } = args;
      const read = readThrough(args, contextValue, contextValue.cacheKey);
      if (read !== undefined) setExecuteFn(async () => resultOf(await (contextValue.readResult ?? read(executeFn))));
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
