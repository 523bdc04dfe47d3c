import type { GraphQLSchema } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { KeptResults } from '../cache/kept-results.ts';
import type { RequestContext } from '../context.ts';
import type { Changes } from '../database/changes.ts';
import { type ServerContext, useAnswers } from './answers.ts';
import { useCompiled } from './compiled.ts';
import { useEntityTags } from './entity-tags.ts';
import { useIdempotency } from './idempotency.ts';
import { useKeptResults } from './keeping.ts';
import { useLimits } from './limits-plugin.ts';
import { useLive } from './live.ts';
import { shownError } from './public-error.ts';
import { useTracing } from './traced.ts';

/** The path of the GraphQL surface. */
export const graphqlPath = '/graphql';

interface SurfaceOptions {
  readonly schema: GraphQLSchema;
  readonly kept: KeptResults;
  readonly changes: Changes;
}

/** The GraphQL surface. It answers requests that have been authenticated, and reads bodies that have been parsed. */
export function createGraphqlSurface({
  schema,
  kept,
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
    maskedErrors: { isDev: false, errorMessage: 'Internal server error.', maskError: shownError },
    // Yoga's memory counts documents, a thousand of which can be a gigabyte; ours is in `useLimits`.
    parserAndValidationCache: false,
    plugins: [
      useAnswers(),
      useLimits(),
      useCompiled(),
      useIdempotency(),
      useKeptResults({ kept, changes }),
      useEntityTags(),
      useLive(),
      useTracing(),
    ],
  });
}
