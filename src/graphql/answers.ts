import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../context.ts';
import { logFailure, publicError, thrownBehind } from './public-error.ts';

/** What GraphQL itself refuses before a resolver runs (`contract.md` 7). */
type RefusalCode = 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'BAD_USER_INPUT';

function refusal(error: GraphQLError, code: RefusalCode): GraphQLError {
  const { nodes, source, positions, path, message, extensions } = error;
  const { http } = extensions;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source,
    positions,
    path,
    extensions: { code, ...(http && { http }) },
  });
}

/**
 * The status of what is refused before execution: 400, but 200 where the caller accepts only
 * `application/json`, as the GraphQL-over-HTTP specification asks. What is no request of GraphQL at all, or
 * a mutation by GET, has a status from Yoga already, not marked as one of that specification's.
 */
function withStatus(error: GraphQLError, request: Request): GraphQLError {
  const { http } = error.extensions;
  if (http === undefined || http.spec === true) error.extensions.http = { status: 400, spec: acceptsOnlyJson(request) };
  return error;
}

function acceptsOnlyJson({ headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim());
  return accepted.every((type) => type === 'application/json');
}

/**
 * Gives every answer of `/graphql` the form that the contract promises: what is refused before a resolver
 * runs has its code and status, and every answer that is not 2xx is JSON with an `errors` array.
 */
export function useAnswers(): Plugin<RequestContext> {
  return {
    onParse:
      () =>
      ({ result, replaceParseResult }) => {
        if (result instanceof GraphQLError) replaceParseResult(refusal(result, 'GRAPHQL_PARSE_FAILED'));
      },
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => refusal(error, 'GRAPHQL_VALIDATION_FAILED')));
      },
    onExecute: ({ args: { contextValue } }) => ({
      // Here, before they are masked: what the caller did not cause goes to the log.
      onExecuteDone: ({ result }) => {
        if (!('errors' in result)) return;
        for (const thrown of (result.errors ?? []).map(thrownBehind)) {
          if (thrown !== undefined) logFailure(contextValue.log, publicError(thrown));
        }
      },
    }),
    onResultProcess: ({ request, result, setResult }) => {
      if (Array.isArray(result) || !('errors' in result) || result.errors === undefined || 'data' in result) return;
      // Still without a code of ours: variables of the wrong type, an unknown operation name, no query at all.
      setResult({
        errors: result.errors.map((error) =>
          withStatus(isOurs(error) ? error : refusal(error, 'BAD_USER_INPUT'), request),
        ),
      });
    },
    onResponse: ({ response, setResponse, fetchAPI }) => {
      if (response.ok || response.headers.get('content-type')?.includes('json') === true) return;
      const message = response.statusText || 'The request cannot be answered.';
      const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
      const headers = new fetchAPI.Headers(response.headers);
      headers.set('content-type', 'application/json; charset=utf-8');
      headers.delete('content-length');
      setResponse(new fetchAPI.Response(body, { status: response.status, headers }));
    },
  };
}

/** Yoga's own refusals carry codes of its own (`BAD_REQUEST`), which the contract does not know. */
function isOurs({ extensions }: GraphQLError): boolean {
  return extensions['code'] === 'GRAPHQL_PARSE_FAILED' || extensions['code'] === 'GRAPHQL_VALIDATION_FAILED';
}
