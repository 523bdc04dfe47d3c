import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../auth/caller.ts';
import { requestIdOf } from './request-id.ts';

declare global {
  namespace Express {
    interface Request {
      /** The request's id (`docs/contract.md` 2). */
      id: string;
      /** The log, with the request's id on every line. */
      log: Logger;
      /** Whether the request has changed something. */
      hasWritten?: boolean;
      /** The full pattern of the matched route; Express itself knows only the part below the mounted router. */
      pattern?: string;
      /** The name of the operation, for the log. */
      operation?: string | undefined;
      /** Who has sent the request, once that is known. */
      caller?: Caller;
    }
  }
}

/**
 * Middleware that gives each request its id and a child log, and sends the id in the response.
 *
 * @param traceId the id of the current trace, for the log.
 */
export function assignRequestId(log: Logger, traceId: (() => string | undefined) | undefined): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers['x-request-id']);
    request.log = log.child({ requestId: request.id, trace_id: traceId?.() });
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}
