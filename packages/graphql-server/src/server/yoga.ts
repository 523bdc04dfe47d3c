import type { GraphQLSchema } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { ResponseCache } from '../../../../src/cache/response-cache.ts';
import type { RequestContext } from '../../../../src/context.ts';
import { maskError } from '../../../../src/graphql/errors.ts';
import { useJit } from '../execution/jit.ts';
import { useTracing } from '../execution/tracing.ts';
import { useLimits } from '../limits/plugin.ts';
import { useAdmissionSlot } from './admission-slot.ts';
import { useEtag } from './etag.ts';
import { useIdempotency } from './idempotency.ts';
import { type PersistedOperations, usePersistedOperations } from './persisted-operations.ts';
import { useResponseCache } from './response-cache.ts';
import { type ServerContext, useResponseFormat } from './response-format.ts';
import { useServerSentEvents } from './sse.ts';

export const graphqlPath = '/graphql';

interface GraphqlServerOptions {
  readonly schema: GraphQLSchema;
  readonly responseCache: ResponseCache;
  /** When absent, any operation is executed. */
  readonly persistedOperations: PersistedOperations | undefined;
}

/** Its requests have been authenticated and their bodies parsed. */
export function createGraphqlServer({
  schema,
  responseCache,
  persistedOperations,
}: GraphqlServerOptions): YogaServerInstance<ServerContext, RequestContext> {
  return createYoga<ServerContext, RequestContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    context: ({ requestContext }) => requestContext,
    // The Express application does these, for REST too.
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    multipart: false,
    batching: false,
    maskedErrors: { isDev: false, errorMessage: 'Internal server error.', maskError },
    // Yoga's cache is limited by count, and a thousand documents can take a gigabyte; `useLimits` caches by size.
    parserAndValidationCache: false,
    // Hooks run in this order, except that each `setExecuteFn` wraps the function set before it: the last plugin is the
    // outermost. So a query is traced (with the cache lookup), looked up in the response cache, and on a miss executed
    // by the JIT; a mutation is claimed by its idempotency key before it is executed. Limits come before everything
    // that executes, as their `onExecute` can stop it, and after the response format, which must see their errors too.
    // The ETag is computed from the formatted response. `useAdmissionSlot` is outermost: it covers the whole execution.
    plugins: [
      useResponseFormat(),
      persistedOperations ? usePersistedOperations(persistedOperations) : {},
      useLimits(),
      useJit(),
      useIdempotency(),
      useResponseCache(responseCache),
      useEtag(),
      useServerSentEvents(),
      useTracing(),
      useAdmissionSlot(),
    ],
  });
}
