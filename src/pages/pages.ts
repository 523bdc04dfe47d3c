import { Router } from 'express';
import { sendJson } from '../http/send.ts';
import type { Readiness } from '../operations/health.ts';

interface PagesOptions {
  readonly readiness: Readiness;
}

/** What needs no key: the pages, the description of the interface, and the answers to whoever watches the service. */
export function createPages({ readiness }: PagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/livez', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const problem = await readiness.problem();
    if (problem === null) sendJson(response, 200, { status: 'ok' });
    else {
      response.setHeader('Retry-After', '2');
      sendJson(response, 503, { message: problem });
    }
  });
  return router;
}
