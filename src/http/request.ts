import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

declare global {
  namespace Express {
    interface Request {
      /** The request's id (`contract.md` 2). */
      id: string;
      /** The log, with the request's id on every line. */
      log: Logger;
      /** The whole pattern of the route below a mounted router; Express itself knows but its last part. */
      pattern?: string;
    }
  }
}

/** Gives each request its id and its log, and tells the caller the id. */
export function identify(log: Logger): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers['x-request-id']);
    request.log = log.child({ requestId: request.id });
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}
