import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { RequestContext } from '../../context.ts';
import type { ChangeMonitor } from '../../database/change-log/change-monitor.ts';
import type { AdmissionControl } from '../../http/admission.ts';
import { clearRawBody, type JsonBodyReader, rawBodyOf } from '../../http/json-body.ts';
import { sendJson, sendMethodNotAllowed } from '../../http/send.ts';
import { idleTimeoutMs } from '../../http/server.ts';
import { httpErrorOf } from '../../http/status.ts';
import { graphqlError, logFailure, toServiceError } from '../errors.ts';
import { acceptsOnlyEvents, readableAccept } from './accept-header.ts';
import { graphqlCacheKey } from './cache-key.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { createGraphqlSurface, graphqlPath } from './yoga.ts';

interface HandlerOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: (response: Response) => RequestContext;
  readonly responseCache: ResponseCache;
  readonly changes: ChangeMonitor;
  readonly admission: Pick<AdmissionControl, 'release'>;
  /** Unset: any operation is carried out. */
  readonly persistedOperations: PersistedOperations | undefined;
}

const allowedMethods = 'GET, POST';

/**
 * Lets an authenticated request in to GraphQL. Bodies are read as REST reads them, so that both surfaces
 * refuse the same ones; forms and plain text, which a foreign page could send unasked, are among those.
 */
export function createGraphqlHandler({
  schema,
  readBody,
  contextOf,
  responseCache,
  changes,
  admission,
  persistedOperations,
}: HandlerOptions): RequestHandler {
  const surface = createGraphqlSurface({ schema, responseCache, changes });
  /** What has not been sent whole by now is a stream, of which there may be many, for hours. */
  const goOn = (request: Request, response: Response): void => {
    admission.release(response);
    clearRawBody(request);
    // Yoga has just lifted the limit.
    request.setTimeout(idleTimeoutMs);
  };
  return async (request, response) => {
    if (request.method === 'POST') {
      request.body = await readBody(request, response);
      if (persistedOperations === undefined && typeof request.body.query !== 'string') {
        sendJson(response, 400, refused('The body must have a string under "query".'));
        return;
      }
    } else if (request.method !== 'GET') {
      const message = `${request.method} is not allowed here; use ${allowedMethods}.`;
      sendMethodNotAllowed(response, allowedMethods, refused(message));
      return;
    } else if (!hasReadableParameters(request)) {
      const message = 'Parameters may be given once, and variables and extensions must be JSON.';
      sendJson(response, 400, refused(message));
      return;
    }
    normalizeForYoga(request);
    const requestContext = contextOf(response);
    const asked = { method: request.method, address: request.originalUrl, body: rawBodyOf(request) };
    const refusal = persistedOperations && applyPersistedOperation(request, persistedOperations);
    if (refusal !== undefined) {
      sendJson(response, 400, refused(refusal));
      return;
    }
    await surface(request, response, { requestContext, cacheKey: graphqlCacheKey(asked, requestContext.caller) });
    if (!response.writableEnded) goOn(request, response);
  };
}

/**
 * Leaves nothing of what has been understood for Yoga to understand otherwise: it takes a media type in other letters
 * for an unknown one, makes an address of the host and the target, which fails when they make none, and compares each
 * type that is accepted with each that there is.
 */
function normalizeForYoga(request: Request): void {
  request.headers['content-type'] = 'application/json';
  request.headers.accept = readableAccept(request.headers.accept ?? '*/*');
  // Yoga knows no quality values: it would answer with what is expressly not accepted.
  if (acceptsOnlyEvents(request.headers.accept)) request.headers.accept = 'text/event-stream';
  request.headers.host = 'localhost';
  request.originalUrl = graphqlPath + searchOf(request);
}

function searchOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

/** Puts the text of the stored operation that is meant into a request; or says why there is none. */
function applyPersistedOperation(request: Request, persistedOperations: PersistedOperations): string | undefined {
  if (request.method === 'POST') {
    const { query, documentId, extensions, ...others } = request.body;
    const document = persistedOperations.documentOf({ query, documentId, extensions });
    if ('refusal' in document) return document.refusal;
    request.body = { ...others, query: document.text };
    return undefined;
  }
  const parameters = new URLSearchParams(searchOf(request));
  const document = persistedOperations.documentOf({
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    extensions: JSON.parse(parameters.get('extensions') || '{}'),
  });
  if ('refusal' in document) return document.refusal;
  for (const name of ['documentId', 'extensions']) parameters.delete(name);
  parameters.set('query', document.text);
  request.originalUrl = `${graphqlPath}?${parameters}`;
  return undefined;
}

function refused(message: string): object {
  return { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
}

/** Whether the parameters of a GET can be read; Yoga would take those that cannot for a failure of its own. */
function hasReadableParameters(request: Request): boolean {
  const query = new URLSearchParams(searchOf(request));
  const once = ['query', 'operationName', 'variables', 'extensions'].every((name) => query.getAll(name).length <= 1);
  return once && ['variables', 'extensions'].every((name) => isJson(query.get(name) || '{}'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What was thrown before GraphQL began, as GraphQL shows errors (`docs/contract.md` 7). */
export const graphqlErrorHandler: ErrorRequestHandler = (problem: unknown, request, response, _next) => {
  const error = toServiceError(problem);
  logFailure(request.log, error);
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const { status, headers } = httpErrorOf(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, { errors: [graphqlError(error).toJSON()] });
};
