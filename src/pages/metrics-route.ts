import { Router } from 'express';
import { sendMethodNotAllowed } from '../http/send.ts';
import type { Metrics } from '../observability/metrics.ts';

/** `/metrics`, for Prometheus, without authentication: on an open network, serve it on a separate port. */
export function createMetricsRouter(metrics: Metrics): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (_request, response) => {
    const { text, contentType } = await metrics.read();
    response.setHeader('Content-Type', contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  });
  router.all('/metrics', ({ method }, response) => {
    sendMethodNotAllowed(response, 'GET, HEAD', { message: `${method} is not allowed here; use GET, HEAD.` });
  });
  return router;
}
