import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { KeptResults } from '../cache/kept-results.ts';
import type { RequestContext } from '../context.ts';
import type { Changes } from '../database/changes.ts';
import type { Gate } from '../http/gate.ts';
import { bodyOf, forgetBody, type JsonBodyReader } from '../http/json-body.ts';
import { silenceMs } from '../http/listener.ts';
import { sendJson, sendMethodNotAllowed } from '../http/send.ts';
import { answerTo } from '../http/status.ts';
import { acceptsOnlyEvents, readableAccept } from './accepted.ts';
import { graphqlKey } from './asked.ts';
import { graphqlError, logFailure, publicError } from './public-error.ts';
import type { StoredOperations } from './stored-operations.ts';
import { createGraphqlSurface, graphqlPath } from './yoga.ts';

interface DoorOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: (response: Response) => RequestContext;
  readonly kept: KeptResults;
  readonly changes: Changes;
  readonly gate: Pick<Gate, 'leave'>;
  /** Unset: any operation is carried out. */
  readonly stored: StoredOperations | undefined;
}

const allowedMethods = 'GET, POST';

/**
 * Lets an authenticated request in to GraphQL. Bodies are read as REST reads them, so that both surfaces
 * refuse the same ones; forms and plain text, which a foreign page could send unasked, are among those.
 */
export function createGraphqlDoor({
  schema,
  readBody,
  contextOf,
  kept,
  changes,
  gate,
  stored,
}: DoorOptions): RequestHandler {
  const surface = createGraphqlSurface({ schema, kept, changes });
  /** What has not been sent whole by now is a stream, of which there may be many, for hours. */
  const goOn = (request: Request, response: Response): void => {
    gate.leave(response);
    forgetBody(request);
    // Yoga has just lifted the limit.
    request.setTimeout(silenceMs);
  };
  return async (request, response) => {
    if (request.method === 'POST') {
      request.body = await readBody(request, response);
      if (stored === undefined && typeof request.body.query !== 'string') {
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
    disarm(request);
    const requestContext = contextOf(response);
    const asked = { method: request.method, address: request.originalUrl, body: bodyOf(request) };
    const refusal = stored && fillIn(request, stored);
    if (refusal !== undefined) {
      sendJson(response, 400, refused(refusal));
      return;
    }
    await surface(request, response, { requestContext, resultKey: graphqlKey(asked, requestContext.caller) });
    if (!response.writableEnded) goOn(request, response);
  };
}

/**
 * Leaves nothing of what has been understood for Yoga to understand otherwise: it takes a media type in other letters
 * for an unknown one, makes an address of the host and the target, which fails when they make none, and compares each
 * type that is accepted with each that there is.
 */
function disarm(request: Request): void {
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
function fillIn(request: Request, stored: StoredOperations): string | undefined {
  if (request.method === 'POST') {
    const { query, documentId, extensions, ...others } = request.body;
    const document = stored.documentOf({ query, documentId, extensions });
    if ('refusal' in document) return document.refusal;
    request.body = { ...others, query: document.text };
    return undefined;
  }
  const parameters = new URLSearchParams(searchOf(request));
  const document = stored.documentOf({
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

/** What was thrown before GraphQL began, as GraphQL shows errors (`contract.md` 7). */
export const graphqlFailed: ErrorRequestHandler = (problem: unknown, request, response, _next) => {
  const error = publicError(problem);
  logFailure(request.log, error);
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const { status, headers } = answerTo(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, { errors: [graphqlError(error).toJSON()] });
};
