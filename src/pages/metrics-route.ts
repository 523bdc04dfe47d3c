import { securityHeaders, setHeaders } from '@service/http/headers';
import { assignRequestId } from '@service/http/request';
import { rejectOtherMethods, sendPathNotFound } from '@service/http/send';
import type { Metrics } from '@service/telemetry/metrics';
import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';

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
  app.use(assignRequestId(log, undefined), setHeaders(securityHeaders), createMetricsRouter(metrics));
  app.use((_request, response) => sendPathNotFound(response));
  return app;
}
