import type { ServiceError } from '@service/errors';
import { listProblems, messagesOf } from '@service/errors/problems';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { ToServiceError } from './context.ts';

/** Converts to a GraphQL error with `extensions.code`, and what else the error has (`docs/contract.md` 7). */
export function graphqlError(error: ServiceError, at?: GraphQLError): GraphQLError {
  const { code, rule, details, errors, current } = error;
  const problems = listProblems(errors);
  const extensions = {
    code,
    ...(rule !== undefined && { rule, details }),
    ...(errors && { errors: messagesOf(errors) }),
    ...(problems && { problems }),
    ...(current && { current }),
  };
  const { nodes, source, positions, path } = at ?? {};
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source,
    positions,
    path,
    originalError: error,
    extensions,
  });
}

/** `undefined` when GraphQL.js itself rejected the request. */
export function originalErrorOf(error: unknown): unknown {
  let thrown = error;
  while (thrown instanceof GraphQLError) thrown = thrown.originalError;
  return thrown;
}

/** Returns the errors that a resolver threw; errors of GraphQL.js itself reject the request. */
export function thrownErrorsOf({ errors = [] }: ExecutionResult, toServiceError: ToServiceError): ServiceError[] {
  return errors
    .map(originalErrorOf)
    .filter((thrown) => thrown !== undefined)
    .map(toServiceError);
}

/** Whether the service failed (in REST, a 5xx) rather than rejected the request. */
export function isFailure({ code }: ServiceError): boolean {
  return code === 'INTERNAL_SERVER_ERROR' || code === 'UNAVAILABLE';
}

/** Masks an error of a response: errors of GraphQL.js itself stay, all others become a `ServiceError`'s. */
export function maskError(error: unknown, toServiceError: ToServiceError): GraphQLError {
  const thrown = originalErrorOf(error);
  if (thrown === undefined && error instanceof GraphQLError) return error;
  return graphqlError(toServiceError(thrown), error instanceof GraphQLError ? error : undefined);
}

/** Logs an error that the caller did not cause, with its cause. */
export function logFailure(log: Logger, error: ServiceError): void {
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error({ err: error.cause }, 'request failed');
  // Load shedding has no cause: its access log line is enough, and a second one per request would flood the log.
  else if (error.code === 'UNAVAILABLE' && error.cause !== undefined)
    log.warn({ err: error.cause }, 'request failed: service unavailable');
}

/** Logs each error that a resolver has thrown, with its cause. */
export function logFailures(log: Logger, errors: readonly GraphQLError[], toServiceError: ToServiceError): void {
  for (const error of thrownErrorsOf({ errors }, toServiceError)) logFailure(log, error);
}
