import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

/** A request that takes longer than this is worth a line of its own. */
const slowSeconds = 1;
/** The client left before there was an answer; nginx calls it so too. */
const clientClosedStatus = 499;

/** A request that has been answered. */
interface CompletedRequest {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whether it has changed something. */
  readonly wrote?: boolean;
  /** When it arrived, on the clock of `performance`. */
  readonly began: number;
}

/** Notes an answer: in the metrics, and as a line of the log. */
export function recordResponse(
  metrics: Metrics,
  log: Logger,
  { route, method, path, status, wrote = false, began }: CompletedRequest,
): void {
  const seconds = (performance.now() - began) / 1_000;
  metrics.requestCompleted({ route, method, status, seconds });
  const remarkable = status >= 500 || wrote || seconds > slowSeconds;
  log[remarkable ? 'info' : 'debug']({ method, path, status, durationMs: Math.round(seconds * 1_000) }, 'request');
}

/**
 * Notes each request when it is done: in the metrics, and as a line of the log; failures, slow ones and writes
 * at `info`, the others at `debug`.
 */
export function accessLog(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : clientClosedStatus;
      const wrote = request.hasWritten === true;
      recordResponse(metrics, request.log, { route: routeOf(request), method, path, status, wrote, began });
    });
    next();
  };
}

/** The pattern of the route that answered; what strangers make up is all one to the metrics. */
function routeOf(request: Request): string {
  const pattern: unknown = request.pattern ?? request.route?.path;
  return typeof pattern === 'string' ? pattern : 'other';
}
