import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.ts';
import type { JsonBodyReader } from '../http/json-body.ts';
import { sendJson, sendMethodNotAllowed } from '../http/send.ts';
import { answerTo } from '../http/status.ts';
import { graphqlError, logFailure, publicError } from './public-error.ts';
import { createGraphqlSurface } from './yoga.ts';

interface DoorOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: (response: Response) => RequestContext;
}

const allowedMethods = 'GET, POST';

/**
 * Lets an authenticated request in to GraphQL. Bodies are read as REST reads them, so that both surfaces
 * refuse the same ones; forms and plain text, which a foreign page could send unasked, are among those.
 */
export function createGraphqlDoor({ schema, readBody, contextOf }: DoorOptions): RequestHandler {
  const surface = createGraphqlSurface(schema);
  return async (request, response) => {
    if (request.method === 'POST') {
      request.body = await readBody(request, response);
    } else if (request.method !== 'GET') {
      const message = `${request.method} is not allowed here; use ${allowedMethods}.`;
      sendMethodNotAllowed(response, allowedMethods, refused(message));
      return;
    } else if (!hasReadableParameters(request)) {
      sendJson(response, 400, refused('The parameters variables and extensions must be JSON.'));
      return;
    }
    await surface(request, response, { requestContext: contextOf(response) });
  };
}

function refused(message: string): object {
  return { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
}

/** Whether the parameters of a GET that carry JSON do; Yoga would take it for a failure of its own. */
function hasReadableParameters(request: Request): boolean {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
  return ['variables', 'extensions'].every((name) => isJson(query.get(name) || '{}'));
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
