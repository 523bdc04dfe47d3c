import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { clearRawBody, type JsonBodyReader, rawBodyOf } from '@service/http/json-body';
import { methodNotAllowed, sendError, sendJson, sendMethodNotAllowed } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { Caller } from '../../../../src/accounts/caller.ts';
import { cacheMissOf } from '../../../../src/cache/cache-miss.ts';
import type { ResponseCache } from '../../../../src/cache/response-cache.ts';
import type { RequestContext } from '../../../../src/context.ts';
import { graphqlError } from '../../../../src/graphql/errors.ts';
import { acceptsNone, acceptsOnlyEvents, readableAccept } from './accept-header.ts';
import { graphqlCacheKey } from './cache-key.ts';
import { operationNameIn, operationNameOf, searchOf } from './operation-name.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { isWebSocketUpgrade } from './web-sockets.ts';
import { createGraphqlServer, graphqlPath } from './yoga.ts';

interface HandlerOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: (response: Response) => RequestContext;
  readonly responseCache: ResponseCache;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** When absent, any operation is executed. */
  readonly persistedOperations: PersistedOperations | undefined;
}

const allowedMethods = 'GET, POST';
const subprotocolRequired = `WebSockets need the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL} (the package graphql-ws). Server-sent events need no more than a POST with Accept: text/event-stream.`;
const notAcceptable =
  'The header Accept must allow application/json, application/graphql-response+json or, for events, text/event-stream.';

/**
 * Creates the handler of `/graphql`, between Express and Yoga: reads the body, rejects what Yoga would report as a
 * fault of its own, normalizes the request for Yoga and executes it. A stream releases its admission slot.
 */
export function createGraphqlHandler({
  schema,
  readBody,
  contextOf,
  responseCache,
  admission,
  persistedOperations,
}: HandlerOptions): RequestHandler {
  const yoga = createGraphqlServer({ schema, responseCache, persistedOperations });
  /** A stream may stay open for hours: it holds no admission slot and no request body. */
  const detachStream = (request: Request, response: Response): void => {
    admission.release(response);
    clearRawBody(request);
    // Yoga has disabled the socket timeout.
    request.setTimeout(idleTimeoutMs);
  };
  const reject = (response: Response, status: 400 | 406, message: string): void => {
    contextOf(response).metrics.failed('BAD_USER_INPUT');
    sendJson(response, status, errorBody(message));
  };
  return async (request, response) => {
    const { method, originalUrl } = request;
    if (method !== 'GET' && method !== 'POST') {
      const message = methodNotAllowed(method, allowedMethods) + singleConnectionHint(request);
      sendMethodNotAllowed(response, method, allowedMethods, errorBody(message));
      return;
    }
    if (acceptsNone(request.headers.accept)) {
      reject(response, 406, notAcceptable);
      return;
    }
    if (method === 'POST') {
      request.body = await readBody(request, response);
      if (persistedOperations === undefined && typeof request.body.query !== 'string') {
        reject(response, 400, 'The body must have a string under "query".');
        return;
      }
      // Yoga takes an empty object for no body at all.
      request.body.query ??= null;
    } else if (!hasReadableParameters(request)) {
      reject(response, 400, 'Parameters may be given once, and variables and extensions must be JSON.');
      return;
    }
    request.operation = method === 'POST' ? operationNameOf(request.body) : operationNameIn(originalUrl);
    normalizeForYoga(request);
    const requestContext = contextOf(response);
    await yoga(request, response, { requestContext, cacheKey: cacheKeyOf(request, requestContext.caller) });
    if (!response.writableEnded) detachStream(request, response);
  };
}

/** A WebSocket without the subprotocol is no upgrade, so its request comes here as a plain one. */
export const rejectOtherSubprotocols: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') next();
  else if (isWebSocketUpgrade(request)) next();
  else sendJson(response, 400, errorBody(subprotocolRequired));
};

/** As the fast path has passed it on, else computed here. */
function cacheKeyOf(request: Request, caller: Caller): string {
  const { method, originalUrl: address } = request;
  return cacheMissOf(request, caller)?.key ?? graphqlCacheKey({ method, address, body: rawBodyOf(request) }, caller);
}

/**
 * Mutates a request so that Yoga does not misread it: it compares media types case-sensitively, builds a URL from
 * `Host` and the target (which throws when they are invalid), and matches all accepted types against all possible ones.
 */
function normalizeForYoga(request: Request): void {
  request.headers['content-type'] = 'application/json';
  request.headers.accept = readableAccept(request.headers.accept ?? '*/*');
  // Yoga ignores quality values, so it could respond with a type that has `q=0`.
  if (acceptsOnlyEvents(request.headers.accept)) request.headers.accept = 'text/event-stream';
  request.headers.host = 'localhost';
  request.originalUrl = graphqlPath + searchOf(request.originalUrl);
}

function errorBody(message: string): object {
  return { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
}

/** Whether the parameters of a GET can be parsed; Yoga would respond to malformed ones with a 500. */
function hasReadableParameters(request: Request): boolean {
  const parameters = new URLSearchParams(searchOf(request.originalUrl));
  const names = ['query', 'operationName', 'variables', 'extensions'];
  const unique = names.every((name) => parameters.getAll(name).length <= 1);
  return unique && ['variables', 'extensions'].every((name) => isJson(parameters.get(name) || '{}'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `graphql-sse` with `singleConnection: true` begins with a PUT. */
function singleConnectionHint({ method, headers }: Request): string {
  const isReservation = method === 'PUT' || headers['x-graphql-event-stream-token'] !== undefined;
  return isReservation ? ' Of GraphQL over SSE, distinct connections are served: set singleConnection to false.' : '';
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
