import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
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
      const error = { message: `${request.method} is not allowed here; use ${allowedMethods}.` };
      sendMethodNotAllowed(response, allowedMethods, {
        errors: [{ ...error, extensions: { code: 'BAD_USER_INPUT' } }],
      });
      return;
    }
    await surface(request, response, { requestContext: contextOf(response) });
  };
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
