import { rejectOtherMethods, sendJson } from '@service/http/send';
import { Router } from 'express';
import type { Readiness } from '../database/availability.ts';

/** Liveness and readiness (`docs/contract.md` 9), without authentication. */
export function createHealthRouter(readiness: Readiness): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const paths = ['/livez', '/readyz'];
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
      response.setHeader('Retry-After', '2');
      sendJson(response, 503, { message: problem });
    }
  });
  router.all(paths, rejectOtherMethods);
  return router;
}
