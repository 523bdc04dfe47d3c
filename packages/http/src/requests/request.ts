import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Metrics } from '@service/telemetry/metrics';
import { type Mask, maskForRequest } from '@service/telemetry/untrusted-text';
import type { Request, RequestHandler } from 'express';
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

/** The id of a request: the caller's own when it is valid and has no credential, of the request or by its form; else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, mask: Mask): string {
  const id = headers['x-request-id'];
  const isAcceptable = typeof id === 'string' && acceptable.test(id) && maskForRequest(mask, headers)(id) === id;
  return isAcceptable ? id : randomUUID();
}

/** Gives each request an id, its own `X-Request-Id` if that is harmless, and a log with it. */
export function assignRequestId(log: Logger, mask: Mask, traceId?: () => string | undefined): RequestHandler {
  return (request, response, next) => {
    request.id = requestIdOf(request.headers, mask);
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

/** Slower requests are logged at `info`. */
const slowSeconds = 1;
/** The client closed the connection before the response; the status that nginx uses. */
export const clientClosedStatus = 499;

interface RequestCaller {
  readonly name: string | null;
  /** `null` with a token. */
  readonly keyId: number | null;
}

interface CompletedRequest {
  /** Whose credentials its line does not have. */
  readonly headers: IncomingHttpHeaders;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly wrote?: boolean;
  /** Finds the name of the GraphQL operation, or of the REST endpoint's; called only for requests that are logged. */
  readonly operation: () => string | undefined;
  readonly caller?: RequestCaller | undefined;
  /** Time of arrival, by `performance.now()`. */
  readonly began: number;
  /** Ids for the log, unless the request has them. */
  readonly ids?: { readonly requestId: string; readonly trace_id: string | undefined };
}

/** Counts a response in the metrics and writes its line to the access log. */
export function recordResponse(
  metrics: Metrics,
  log: Logger,
  mask: Mask,
  { headers, route, method, path, status, operation, caller, wrote = false, began, ids }: CompletedRequest,
): void {
  const seconds = (performance.now() - began) / 1_000;
  metrics.requestCompleted({ route, method, status, seconds });
  const remarkable = status >= 500 || wrote || seconds > slowSeconds;
  const level = remarkable ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const durationMs = Math.round(seconds * 1_000);
  const { name: user, keyId } = caller ?? {};
  const name = operation();
  const ofRequest = maskForRequest(mask, headers);
  const texts = { path: ofRequest(path), operation: name && ofRequest(name) };
  log[level]({ ...ids, method, ...texts, status, durationMs, user, keyId }, 'request');
}

/**
 * Records completed requests in metrics and log: failures, slow requests and writes at `info`, others at `debug`.
 * @param callerOf the caller of an authenticated request.
 */
export function accessLog(
  metrics: Metrics,
  mask: Mask,
  callerOf: (request: Request) => RequestCaller | undefined,
): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const { headers, method, path } = request;
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : clientClosedStatus;
      const wrote = request.hasWritten === true;
      const caller = callerOf(request);
      const operation = (): string | undefined => request.operation;
      const route = routeOf(request);
      const completed = { headers, route, method, path, status, operation, caller, wrote, began };
      recordResponse(metrics, request.log, mask, completed);
    });
    next();
  };
}

/** The pattern of the matched route; `other` for unknown paths, so that the metrics' labels stay bounded. */
function routeOf(request: Request): string {
  const pattern: unknown = request.pattern ?? request.route?.path;
  return typeof pattern === 'string' ? pattern : 'other';
}
