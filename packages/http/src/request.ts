import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../../../src/accounts/caller.ts';
import { requestIdOf } from './request-id.ts';

declare global {
  namespace Express {
    interface Request {
      id: string;
      log: Logger;
      hasWritten?: boolean;
      /** The full pattern of the matched route; Express itself knows only the part below the mounted router. */
      pattern?: string;
      operation?: string | undefined;
      caller?: Caller;
    }
  }
}

export function assignRequestId(log: Logger, traceId: (() => string | undefined) | undefined): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers['x-request-id']);
    request.log = log.child({ requestId: request.id, trace_id: traceId?.() });
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}
