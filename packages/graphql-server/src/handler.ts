import type { AdmissionControl } from '@service/http/admission';
import { BodyError } from '@service/http/body-bytes';
import { methodNotAllowed, sendMethodNotAllowed } from '@service/http/errors';
import { clearRawBody, type JsonBodyReader, rawBodyOf } from '@service/http/json-body';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import type { Request, RequestHandler, Response } from 'express';
import type { ExecutionArgs } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { ExecutionContext } from './context.ts';
import { createKnownQuery } from './known-query.ts';
import { createDocumentCache } from './limits/plugin.ts';
import { withoutPersistedQueries } from './persisted-operations.ts';
import {
  acceptsNone,
  acceptsOnlyEvents,
  acceptsOnlyJson,
  graphqlPath,
  operationNameIn,
  operationNameOf,
  readableAccept,
  searchOf,
} from './request.ts';
import { isWebSocketUpgrade } from './web-sockets/web-sockets.ts';
import { createGraphqlServer, type GraphqlServerOptions } from './yoga.ts';

export interface HandlerOptions<Context extends ExecutionContext> extends GraphqlServerOptions<Context> {
  readonly readBody: JsonBodyReader;
  readonly contextOf: (request: Request) => Context;
  /** Equal for requests that have equal results. */
  readonly cacheKeyOf: (request: Request, context: Context) => string;
  readonly admission: Pick<AdmissionControl, 'release'>;
}

const allowedMethods = 'GET, POST';
const subprotocolRequired = `WebSockets need the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL} (the package graphql-ws). Server-sent events need no more than a POST with Accept: text/event-stream.`;
const noBatches =
  'The body must be one operation: an array of them is not served. Send each in a request of its own (Apollo: HttpLink, not BatchHttpLink), or several fields in one document.';
const notAcceptable =
  'The header Accept must allow application/json, application/graphql-response+json or, for events, text/event-stream.';

export interface GraphqlHandler<Context> {
  readonly handler: RequestHandler;
  /** The query that a body has, if its document has been validated before and Yoga would execute it now. */
  knownQuery(body: Buffer, context: Context): ExecutionArgs | undefined;
}

/**
 * Creates the handler of `/graphql`, between Express and Yoga: reads the body, rejects what Yoga would report as a
 * fault of its own, normalizes the request for Yoga and executes it. A stream releases its admission slot.
 */
export function createGraphqlHandler<Context extends ExecutionContext>(
  options: HandlerOptions<Context>,
): GraphqlHandler<Context> {
  const { readBody, contextOf, cacheKeyOf, admission, persistedOperations } = options;
  const documents = createDocumentCache();
  const yoga = createGraphqlServer(options, documents);
  /** A stream may stay open for hours: it holds no admission slot and no request body. */
  const detachStream = (request: Request, response: Response): void => {
    admission.release(response);
    clearRawBody(request);
    // Yoga has disabled the socket timeout.
    request.setTimeout(idleTimeoutMs);
  };
  const reject = (request: Request, response: Response, status: 400 | 406, message: string): void => {
    contextOf(request).state.app.metrics.failed('BAD_USER_INPUT');
    sendJson(response, status, errorBody(message));
  };
  /** Responds to a client that asks for automatic persisted queries, where there are none: it sends the text then. */
  const isUnsupported = (
    { headers }: Request,
    response: Response,
    parameters: Readonly<Record<string, unknown>>,
  ): boolean => {
    const body = persistedOperations === undefined ? withoutPersistedQueries(parameters) : undefined;
    if (body !== undefined) sendJson(response, acceptsOnlyJson(headers.accept) ? 200 : 400, body);
    return body !== undefined;
  };
  const handler: RequestHandler = async (request, response) => {
    const { method, originalUrl } = request;
    if (method !== 'GET' && method !== 'POST') {
      const message = methodNotAllowed(method, allowedMethods) + singleConnectionHint(request);
      sendMethodNotAllowed(response, method, allowedMethods, errorBody(message));
      return;
    }
    if (acceptsNone(request.headers.accept)) {
      reject(request, response, 406, notAcceptable);
      return;
    }
    if (method === 'POST') {
      request.body = await readBody(request, response).catch((problem: unknown) => {
        throw rawBodyOf(request)?.toString().trimStart().startsWith('[') === true
          ? new BodyError(400, noBatches)
          : problem;
      });
      if (isUnsupported(request, response, request.body)) return;
      if (persistedOperations === undefined && typeof request.body.query !== 'string') {
        reject(request, response, 400, 'The body must have a string under "query".');
        return;
      }
      // Yoga looks for an operation of this name, and says that there is none.
      if (typeof (request.body.operationName ?? '') !== 'string') {
        reject(request, response, 400, 'The body must have a string under "operationName", if any.');
        return;
      }
      // Yoga takes an empty object for no body at all.
      request.body.query ??= null;
    } else if (!hasReadableParameters(request)) {
      reject(request, response, 400, 'Parameters may be given once, and variables and extensions must be JSON.');
      return;
    } else if (isUnsupported(request, response, parametersOf(request))) return;
    request.operation = method === 'POST' ? operationNameOf(request.body) : operationNameIn(originalUrl);
    normalizeForYoga(request);
    const requestContext = contextOf(request);
    await yoga(request, response, {
      requestContext,
      cacheKey: cacheKeyOf(request, requestContext),
      requestLength: rawBodyOf(request)?.length ?? originalUrl.length,
    });
    if (!response.writableEnded) detachStream(request, response);
  };
  return {
    handler,
    knownQuery: persistedOperations === undefined ? createKnownQuery(options, documents) : () => undefined,
  };
}

/** A WebSocket without the subprotocol is no upgrade, so its request comes here as a plain one. */
export const rejectOtherSubprotocols: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') next();
  else if (isWebSocketUpgrade(request)) next();
  else sendJson(response, 400, errorBody(subprotocolRequired));
};

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

/** Reads the parameters of a GET. */
function parametersOf(request: Request): Record<string, unknown> {
  const { query, extensions } = Object.fromEntries(new URLSearchParams(searchOf(request.originalUrl)));
  return { query, extensions: JSON.parse(extensions || '{}') };
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
