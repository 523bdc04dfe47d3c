import { excerpt, fitted } from '@service/errors';
import { httpErrorOf } from '@service/http/errors';
import { matchesIfNoneMatch, representationOf } from '@service/http/representation';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type GraphQLHTTPExtensions, isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { ExecutionContext, ServerContext, ToServiceError } from './context.ts';
import { logFailures, maskError, originalErrorOf } from './errors.ts';
import { limitedJson } from './limits/response-tally.ts';
import { acceptsOnlyEvents, acceptsOnlyJson, jsonTypeFor } from './request.ts';

interface FormatOptions {
  readonly toServiceError: ToServiceError;
  readonly responseBytesMax: number;
}

/**
 * Response formatting (`docs/contract.md` 7): JSON unless only `text/event-stream` is accepted; a code on every error;
 * a status for requests rejected before a resolver runs; a count of each code that a response has; a log line for each error
 * that the caller did not cause.
 */
export function useResponseFormat({
  toServiceError,
  responseBytesMax,
}: FormatOptions): Plugin<ExecutionContext, ServerContext> {
  return {
    onExecute: ({ args: { contextValue } }) => ({
      onExecuteDone: ({ result }) => {
        if ('errors' in result) logFailures(contextValue.state.log, result.errors ?? [], toServiceError);
      },
    }),
    onResultProcess: ({ request, result, serverContext, setResult, setResultProcessor }) => {
      if (Array.isArray(result) || isAsyncIterable(result)) return;
      const accept = request.headers.get('accept');
      const { errors } = result;
      const { state } = serverContext.requestContext;
      if ('data' in result) {
        const { stringify: write = JSON.stringify } = result;
        const stringify = (given: unknown): string => limitedJson(write(given), responseBytesMax);
        setResult({ ...result, stringify });
        if (errors !== undefined) {
          const coded = errors.map((error) => withErrorCode(error, headersOf(error, toServiceError)));
          setResult({ ...result, errors: coded, stringify });
          for (const code of new Set(coded.map(({ extensions }) => String(extensions['code'])))) {
            state.app.metrics.failed(code);
          }
        }
        if (acceptsOnlyEvents(accept)) return;
        if (isWritten(result)) {
          const { body } = result;
          // As bytes: to decode and encode a long response takes longer than a turn of the event loop may.
          const type = jsonTypeFor(accept);
          const headers = { 'Content-Type': `${type}; charset=utf-8` };
          setResultProcessor((_result, { Response }) => new Response(body, { headers }), type);
          return;
        }
      } else {
        logFailures(state.log, errors ?? [], toServiceError);
        const onlyJson = acceptsOnlyJson(accept);
        const coded = (errors ?? []).map((error) => withErrorCode(error, statusOf(error, onlyJson, toServiceError)));
        setResult({ ...result, errors: coded });
        const [first] = coded;
        if (first !== undefined) state.app.metrics.failed(String(first.extensions['code']));
      }
      setResultProcessor(processRegularResult, jsonTypeFor(accept));
    },
  };
}

/** Whether a result has the bytes of its response. */
const isWritten = (result: object): result is { readonly body: Buffer<ArrayBuffer> } =>
  'body' in result && Buffer.isBuffer(result.body);

/** The response to a query that was executed past Yoga, with errors: as Yoga's, its status is 200. */
export function responseWithErrors(
  { errors = [], ...result }: ExecutionResult,
  { state }: ExecutionContext,
  { toServiceError, responseBytesMax }: FormatOptions,
): { readonly text: string; readonly headers: Readonly<Record<string, string>> } {
  logFailures(state.log, errors, toServiceError);
  const masked = errors.map((error) => maskError(error, toServiceError));
  for (const code of new Set(masked.map(({ extensions }) => String(extensions['code']))))
    state.app.metrics.failed(code);
  const headers = Object.assign({}, ...masked.map((error) => headersOf(error, toServiceError)?.headers));
  const text = JSON.stringify({ errors: masked.map((error) => withErrorCode(error)), ...result });
  return { text: limitedJson(text, responseBytesMax), headers };
}

/** Yoga's code for a malformed request, and for a mutation by GET: always status 400. */
export const malformed = 'BAD_REQUEST';
/** No code, and codes of Yoga that are not in the contract. */
const foreignCodes: readonly unknown[] = [undefined, malformed, 'OPERATION_RESOLUTION_FAILURE'];

/** What an error may have beside its code. */
const ownExtensions = ['rule', 'details', 'errors', 'problems', 'current'];

/** Characters of a message: GraphQL.js repeats names and values of the request, however long and many. */
const messageMax = 1_000;
/** What may be such a name or value: a word, or a text in quotes. */
const repeated = /"((?:[^"\\]|\\.)*)("?)|[^\s"]+/gs;

const bounded = (message: string): string =>
  fitted(
    message.replace(repeated, (word: string, text: string | undefined, end: string) =>
      text === undefined ? excerpt(word) : `"${excerpt(text)}${end}`,
    ),
    messageMax,
  );

/** An error without a code is about variables, the operation name or a malformed request; drops foreign extensions. */
export function withErrorCode(error: GraphQLError, http?: GraphQLHTTPExtensions): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error;
  const code = foreignCodes.includes(extensions['code']) ? 'BAD_USER_INPUT' : extensions['code'];
  const own = ownExtensions.filter((name) => extensions[name] !== undefined);
  return new GraphQLError(bounded(message), {
    nodes: nodes ?? null,
    source,
    positions,
    path,
    extensions: {
      code,
      ...Object.fromEntries(own.map((name) => [name, extensions[name]])),
      ...(http && { http }),
    },
  });
}

/** Returns `Retry-After` for an error that a retry may avoid, with any status. */
function headersOf(error: GraphQLError, toServiceError: ToServiceError): GraphQLHTTPExtensions | undefined {
  const thrown = originalErrorOf(error);
  const seconds = thrown === undefined ? undefined : toServiceError(thrown).retryAfterSeconds;
  return seconds === undefined ? undefined : { headers: { 'Retry-After': String(seconds) } };
}

/** 400; but 200 if a well-formed request accepts only `application/json`, as GraphQL over HTTP requires. */
function statusOf(error: GraphQLError, onlyJson: boolean, toServiceError: ToServiceError): GraphQLHTTPExtensions {
  const { code, http } = error.extensions;
  if (code === malformed && http?.status === 405) return { status: 405, headers: { Allow: 'POST' } };
  if (code === malformed) return { status: 400 };
  const thrown = originalErrorOf(error);
  if (thrown !== undefined) return httpErrorOf(toServiceError(thrown));
  return { status: onlyJson ? 200 : 400 };
}

/** Adds an `ETag` to responses to GET, and responds 304 when `If-None-Match` matches, as REST does. */
export function useEtag(): Plugin {
  return {
    onResponse: async ({ request, response, setResponse, fetchAPI }) => {
      if (request.method !== 'GET' || response.status !== 200 || !isJson(response)) return;
      // As bytes: to decode and encode a long response takes longer than a turn of the event loop may.
      const body = Buffer.from(await response.arrayBuffer());
      const content = representationOf(body);
      const headers = { etag: content.entityTag };
      if (matchesIfNoneMatch(request.headers.get('if-none-match') ?? undefined, content)) {
        setResponse(new fetchAPI.Response(null, { status: 304, headers }));
      } else {
        const all = { ...Object.fromEntries(response.headers), ...headers };
        setResponse(new fetchAPI.Response(body, { status: 200, headers: all }));
      }
    },
  };
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') === true;
}
