import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { exhaustedFrom, toUnavailableError } from '../database/connection/unavailable.ts';
import { type ErrorCode, ServiceError } from '../errors.ts';

/** What may be shown of an error: what was thrown on purpose, that the database is away, or only that something failed. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return (
    toUnavailableError(error) ??
    exhaustedFrom(error) ??
    new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error.', { cause: error })
  );
}

/** What the caller did not cause is written down, with its cause, under the request's id. */
export function logFailure(log: Logger, error: ServiceError): void {
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error({ err: error.cause }, 'request failed');
  // Who was turned away at the gate has a line among the requests, and no cause; two lines for each would be a flood.
  else if (error.code === 'UNAVAILABLE' && error.cause !== undefined)
    log.warn({ err: error.cause }, 'request answered as unavailable');
}

/**
 * An error as GraphQL shows it: the message of REST, `extensions.code`, and the problems by field (`docs/contract.md` 7), or
 * the record that somebody else has changed.
 */
export function graphqlError(error: ServiceError, at?: GraphQLError): GraphQLError {
  const extensions: { code: ErrorCode; errors?: object; current?: object } = { code: error.code };
  if (error.errors !== undefined) extensions.errors = error.errors;
  if (error.current !== undefined) extensions.current = error.current;
  const { nodes, source, positions, path } = at ?? {};
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source,
    positions,
    path,
    originalError: error,
    extensions: { ...extensions },
  });
}

/** What was thrown behind an error of GraphQL's; `undefined` when GraphQL itself is who refused. */
export function originalErrorOf(error: unknown): unknown {
  let thrown = error;
  while (thrown instanceof GraphQLError) thrown = thrown.originalError;
  return thrown;
}

/** An error of an answer as it is shown: what GraphQL itself says stays as it is; all else as the contract allows. */
export function maskError(error: unknown): GraphQLError {
  const thrown = originalErrorOf(error);
  if (thrown === undefined && error instanceof GraphQLError) return error;
  return graphqlError(toServiceError(thrown), error instanceof GraphQLError ? error : undefined);
}
