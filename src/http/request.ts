import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Tracing } from '../observability/tracing.ts';
import { requestIdOf } from './request-id.ts';

declare global {
  namespace Express {
    interface Request {
      /** The request's id (`docs/contract.md` 2). */
      id: string;
      /** The log, with the request's id on every line. */
      log: Logger;
      /** Whether it has changed something. */
      hasWritten?: boolean;
      /** The whole pattern of the route below a mounted router; Express itself knows but its last part. */
      pattern?: string;
    }
  }
}

/** Gives each request its id and its log, which names its trace if there is one, and tells the caller the id. */
export function assignRequestId(log: Logger, tracing: Tracing | undefined): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers['x-request-id']);
    request.log = log.child({ requestId: request.id, trace_id: tracing?.traceId() });
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}
