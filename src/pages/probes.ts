import { ServiceError } from '@service/errors';
import { rejectOtherMethods, sendError, sendPathNotFound } from '@service/http/errors';
import { securityHeaders, setHeaders } from '@service/http/headers';
import { assignRequestId } from '@service/http/request';
import { sendJson } from '@service/http/send';
import type { Metrics } from '@service/telemetry/metrics';
import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import { maskCredentials } from '../accounts/keys/api-key.ts';
import type { Readiness } from '../database/availability.ts';

const paths = ['/livez', '/readyz'];

/** Whether a request asks how the process is, which is known at once. */
export const isProbe = (path: string): boolean => paths.includes(path);

/** Liveness and readiness (`docs/contract.md` 9), without authentication. */
export function createHealthRouter(readiness: Readiness): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(paths, (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.get('/livez', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const problem = await readiness.problem();
    if (problem === null) sendJson(response, 200, { status: 'ok' });
    else {
      sendError(response, new ServiceError('UNAVAILABLE', problem, { retryAfterSeconds: 2 }));
    }
  });
  router.all(paths, rejectOtherMethods);
  return router;
}

/** `/metrics`, for Prometheus, without authentication: on an open network, serve it on a separate port. */
export function createMetricsRouter(metrics: Metrics): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (_request, response) => {
    const { text, contentType } = await metrics.read();
    response.setHeader('Content-Type', contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  });
  router.all('/metrics', rejectOtherMethods);
  return router;
}

/** The application of `METRICS_PORT`: `/metrics`, and a 404 for every other path. */
export function createMetricsApp(metrics: Metrics, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(assignRequestId(log, maskCredentials), setHeaders(securityHeaders), createMetricsRouter(metrics));
  app.use((_request, response) => sendPathNotFound(response));
  return app;
}
