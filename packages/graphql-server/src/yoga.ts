import type { GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { ExecutionContext, ExecutionPlugin, ServerContext } from './context.ts';
import { maskError } from './errors.ts';
import type { EventOptions } from './event-executor.ts';
import { type DocumentCache, type RequestLimits, useLimits } from './limits/plugin.ts';
import { executeUntilClosed } from './limits/response-tally.ts';
import { type PersistedOperations, usePersistedOperations } from './persisted-operations.ts';
import { graphqlPath } from './request.ts';
import { useEtag, useResponseFormat } from './response-format.ts';
import { useServerSentEvents } from './server-sent-events.ts';
import { useTracing } from './tracing.ts';

export interface GraphqlServerOptions<Context extends ExecutionContext> extends EventOptions<Context>, RequestLimits {
  readonly schema: GraphQLSchema;
  /** Undefined: any operation is executed. */
  readonly persistedOperations: PersistedOperations | undefined;
  /** Within the limits and around the execution; the last is the outermost. */
  readonly plugins: readonly ExecutionPlugin<Context>[];
}

/** Creates the GraphQL server for requests with authenticated callers and parsed bodies. */
export function createGraphqlServer<Context extends ExecutionContext>(
  options: GraphqlServerOptions<Context>,
  documents: DocumentCache,
): YogaServerInstance<ServerContext<Context>, Context> {
  const { schema, persistedOperations, plugins, toServiceError } = options;
  return createYoga<ServerContext<Context>, Context>({
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
    maskedErrors: {
      isDev: false,
      errorMessage: 'Internal server error.',
      maskError: (error) => maskError(error, toServiceError),
    },
    // Yoga's cache is limited by count, and a thousand documents can take a gigabyte; `useLimits` caches by size.
    parserAndValidationCache: false,
    // Hooks run in this order, except that each `setExecuteFn` wraps the function set before it: the last plugin is the
    // outermost. So a query is traced (with a cache lookup, say), passes the given plugins and is executed.
    // Limits come before everything that executes, as their `onExecute` can stop it, and after the response format,
    // which must see their errors too. The ETag is computed from the formatted response. `useAdmissionSlot` is
    // outermost: it covers the whole execution.
    plugins: [
      useResponseFormat(options),
      useOperationName(),
      persistedOperations ? usePersistedOperations(persistedOperations) : {},
      useLimits(options, documents),
      useGraphqlJs(),
      ...plugins,
      useEtag(),
      useServerSentEvents(options),
      useTracing(toServiceError),
      useAdmissionSlot(),
    ],
  });
}

/** Plugin that takes an empty name of an operation, as some clients send it, for none. */
const useOperationName = (): Plugin => ({
  onParams: ({ params: { operationName, ...others }, setParams }) => {
    if (operationName === '') setParams(others);
  },
});

/** Plugin that executes by GraphQL.js, as elsewhere: Yoga's executor differs in the order of errors and in odd variables. */
const useGraphqlJs = (): ExecutionPlugin<ExecutionContext> => ({
  onExecute: ({ args: { contextValue }, setExecuteFn }) =>
    setExecuteFn((args) => executeUntilClosed(args, contextValue.state)),
});

/** Plugin that holds the admission slot until the execution has ended: Yoga responds no more when a client is gone. */
function useAdmissionSlot(): ExecutionPlugin<ExecutionContext> {
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      setExecuteFn(async (args) => {
        const release = contextValue.state.holdSlot();
        try {
          return await executeFn(args);
        } finally {
          release();
        }
      });
    },
  };
}
