import { GraphQLError } from 'graphql';
import { type GraphQLHTTPExtensions, isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { RequestContext } from '../../context.ts';
import { shortened } from '../../errors.ts';
import { httpErrorOf } from '../../http/status.ts';
import { logFailure, originalErrorOf, toServiceError } from '../errors.ts';
import { acceptsOnlyEvents, acceptsOnlyJson, jsonTypeFor } from './accept-header.ts';

/** What Yoga is handed with each request. */
export interface ServerContext {
  readonly requestContext: RequestContext;
  /** The key of the answer, should it be one that is kept. */
  readonly cacheKey: string;
}

/**
 * Gives every answer of `/graphql` the form that the contract promises (`docs/contract.md` 7): JSON, whatever the caller
 * accepts, unless that is server-sent events alone; a code on every error; a status for what is refused before a
 * resolver runs; and a line in the log for what the caller did not cause.
 */
export function useResponseFormat(): Plugin<RequestContext, ServerContext> {
  return {
    onExecute: ({ args: { contextValue } }) => ({
      onExecuteDone: ({ result }) => {
        if ('errors' in result) logFailures(result.errors ?? [], contextValue);
      },
    }),
    onResultProcess: ({ request, result, serverContext, setResult, setResultProcessor }) => {
      if (Array.isArray(result) || isAsyncIterable(result)) return;
      const accept = request.headers.get('accept');
      const { errors } = result;
      if ('data' in result) {
        if (errors !== undefined) setResult({ ...result, errors: errors.map((error) => withErrorCode(error)) });
        if (acceptsOnlyEvents(accept)) return;
      } else {
        logFailures(errors ?? [], serverContext.requestContext);
        const onlyJson = acceptsOnlyJson(accept);
        setResult({
          ...result,
          errors: (errors ?? []).map((error) => withErrorCode(error, statusOf(error, onlyJson))),
        });
      }
      setResultProcessor(processRegularResult, jsonTypeFor(accept));
    },
  };
}

/** Writes down what of some errors the caller did not cause. */
export function logFailures(errors: readonly unknown[], { log }: RequestContext): void {
  for (const thrown of errors.map(originalErrorOf)) {
    if (thrown !== undefined) logFailure(log, toServiceError(thrown));
  }
}

/** Yoga's code for what is no request of GraphQL at all, and for a mutation by GET. */
const noRequest = 'BAD_REQUEST';
/** No code, and those of Yoga's that the contract does not know. */
const foreignCodes: readonly unknown[] = [undefined, noRequest, 'OPERATION_RESOLUTION_FAILURE'];

/** Characters of a message: those of GraphQL repeat names and values of the request, however long. */
const messageMax = 1_000;

/**
 * An error with a code of the contract's: what has none is about variables, the operation's name, or a request that is
 * none. It is made anew, with nothing in its extensions of what Yoga has caught.
 */
export function withErrorCode(error: GraphQLError, http?: GraphQLHTTPExtensions): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error;
  const code = foreignCodes.includes(extensions['code']) ? 'BAD_USER_INPUT' : extensions['code'];
  const { errors, current } = extensions;
  return new GraphQLError(shortened(message, messageMax), {
    nodes: nodes ?? null,
    source,
    positions,
    path,
    extensions: {
      code,
      ...(errors !== undefined && { errors }),
      ...(current !== undefined && { current }),
      ...(http && { http }),
    },
  });
}

/**
 * The status of what is refused before execution: 400, but 200 where the caller accepts only `application/json`, as
 * the GraphQL-over-HTTP specification asks for requests that are well-formed. What is not has one from Yoga.
 */
function statusOf(error: GraphQLError, onlyJson: boolean): GraphQLHTTPExtensions {
  const { code, http } = error.extensions;
  if (code === noRequest && http?.status === 405) return { status: 405, headers: { Allow: 'POST' } };
  if (code === noRequest) return { status: 400 };
  const thrown = originalErrorOf(error);
  if (thrown !== undefined) return httpErrorOf(toServiceError(thrown));
  return { status: onlyJson ? 200 : 400 };
}
