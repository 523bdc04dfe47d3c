import type { Request, RequestHandler } from 'express';
import type { Metrics } from './metrics.ts';

/** A request that takes longer than this is worth a line of its own. */
const slowSeconds = 1;

/**
 * Notes each request when it is done: in the metrics, and as a line of the log; failures, slow ones and writes
 * at `info`, the others at `debug`.
 */
export function observe(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const seconds = (performance.now() - began) / 1_000;
      const { statusCode: status } = response;
      metrics.answered({ route: routeOf(request), method, status, seconds });
      const remarkable = status >= 500 || status === 201 || seconds > slowSeconds;
      const line = { method, path, status, durationMs: Math.round(seconds * 1_000) };
      request.log[remarkable ? 'info' : 'debug'](line, 'request');
    });
    next();
  };
}

/** The pattern of the route that answered; what strangers make up is all one to the metrics. */
function routeOf(request: Request): string {
  const pattern: unknown = request.pattern ?? request.route?.path;
  return typeof pattern === 'string' ? pattern : 'other';
}
