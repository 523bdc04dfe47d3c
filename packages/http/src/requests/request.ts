import { randomUUID } from 'node:crypto';
import { maskCredentials } from '@service/telemetry/untrusted-text';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

declare global {
  namespace Express {
    interface Request {
      id: string;
      log: Logger;
      hasWritten?: boolean;
      /** The full pattern of the matched route; Express itself knows only the part below the mounted router. */
      pattern?: string;
      operation?: string | undefined;
    }
  }
}

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the caller's own when it is valid and no credential, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  const isAcceptable = typeof header === 'string' && acceptable.test(header) && maskCredentials(header) === header;
  return isAcceptable ? header : randomUUID();
}

export function assignRequestId(log: Logger, traceId: (() => string | undefined) | undefined): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers['x-request-id']);
    request.log = log.child({ requestId: request.id, trace_id: traceId?.() });
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}

/** Express fails on `%zz`, before method and permission are checked; escaped, it is the text of a path like any other. */
export const decodablePath: RequestHandler = (request, _response, next) => {
  const { path, url } = request;
  try {
    decodeURIComponent(path);
  } catch {
    const query = url.indexOf('?');
    request.url = path.replaceAll('%', '%25') + (query === -1 ? '' : url.slice(query));
  }
  next();
};
