import type { GraphQLSchema } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import type { ChangeMonitor } from '../../database/change-log/change-monitor.ts';
import { maskError } from '../errors.ts';
import { useJit } from '../execution/jit.ts';
import { useTracing } from '../execution/tracing.ts';
import { useLimits } from '../limits/plugin.ts';
import { useEtag } from './etag.ts';
import { useIdempotency } from './idempotency.ts';
import { useResponseCache } from './response-cache.ts';
import { type ServerContext, useResponseFormat } from './response-format.ts';
import { useServerSentEvents } from './sse.ts';

/** The path of the GraphQL surface. */
export const graphqlPath = '/graphql';

interface SurfaceOptions {
  readonly schema: GraphQLSchema;
  readonly responseCache: ResponseCache;
  readonly changes: ChangeMonitor;
}

/** The GraphQL surface. It answers requests that have been authenticated, and reads bodies that have been parsed. */
export function createGraphqlSurface({
  schema,
  responseCache,
  changes,
}: SurfaceOptions): YogaServerInstance<ServerContext, RequestContext> {
  return createYoga<ServerContext, RequestContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    context: ({ requestContext }) => requestContext,
    // The page, CORS, the body and the log are the application's, the same for both surfaces.
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    multipart: false,
    batching: false,
    maskedErrors: { isDev: false, errorMessage: 'Internal server error.', maskError },
    // Yoga's memory counts documents, a thousand of which can be a gigabyte; ours is in `useLimits`.
    parserAndValidationCache: false,
    plugins: [
      useResponseFormat(),
      useLimits(),
      useJit(),
      useIdempotency(),
      useResponseCache({ responseCache, changes }),
      useEtag(),
      useServerSentEvents(),
      useTracing(),
    ],
  });
}
