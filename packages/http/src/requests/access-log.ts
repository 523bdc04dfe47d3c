import type { Metrics } from '@service/telemetry/metrics';
import { maskCredentials } from '@service/telemetry/untrusted-text';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Slower requests are logged at `info`. */
const slowSeconds = 1;
/** The client closed the connection before the response; the status that nginx uses. */
const clientClosedStatus = 499;

interface RequestCaller {
  readonly name: string | null;
  /** `null` with a token. */
  readonly keyId: number | null;
}

interface CompletedRequest {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly wrote?: boolean;
  /** Finds the name of the GraphQL operation, or of the REST endpoint's; called only for requests that are logged. */
  readonly operation: () => string | undefined;
  readonly caller?: RequestCaller | undefined;
  /** When it arrived, by `performance.now()`. */
  readonly began: number;
}

export function recordResponse(
  metrics: Metrics,
  log: Logger,
  { route, method, path, status, operation, caller, wrote = false, began }: CompletedRequest,
): void {
  const seconds = (performance.now() - began) / 1_000;
  metrics.requestCompleted({ route, method, status, seconds });
  const remarkable = status >= 500 || wrote || seconds > slowSeconds;
  const level = remarkable ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const durationMs = Math.round(seconds * 1_000);
  const { name: user, keyId } = caller ?? {};
  const name = operation();
  const texts = { path: maskCredentials(path), operation: name && maskCredentials(name) };
  log[level]({ method, ...texts, status, durationMs, user, keyId }, 'request');
}

/**
 * Records completed requests in metrics and log: failures, slow requests and writes at `info`, others at `debug`.
 * @param callerOf the caller of an authenticated request.
 */
export function accessLog(metrics: Metrics, callerOf: (request: Request) => RequestCaller | undefined): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : clientClosedStatus;
      const wrote = request.hasWritten === true;
      const caller = callerOf(request);
      const operation = (): string | undefined => request.operation;
      const route = routeOf(request);
      recordResponse(metrics, request.log, { route, method, path, status, operation, caller, wrote, began });
    });
    next();
  };
}

/** The pattern of the matched route; `other` for unknown paths, so that the metrics' labels stay bounded. */
function routeOf(request: Request): string {
  const pattern: unknown = request.pattern ?? request.route?.path;
  return typeof pattern === 'string' ? pattern : 'other';
}
