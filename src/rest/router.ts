import { sendMethodNotAllowed, sendPathNotFound } from '@service/http/errors';
import type { JsonBodyReader } from '@service/http/json-body';
import { Router } from 'express';
import { createHandler } from './create-handler.ts';
import type { ContextOf, RestEndpoint } from './operation.ts';
import { type ReadEndpoint, readHandler } from './read-handler.ts';
import { allowedMethods } from './routes.ts';

interface RestOptions {
  readonly endpoints: readonly RestEndpoint[];
  readonly reads: readonly ReadEndpoint[];
  /** Of the addresses in responses. */
  readonly prefix: string;
  readonly readBody: JsonBodyReader;
  readonly contextOf: ContextOf;
}

/** The REST router below `/v1`: every endpoint, 405 for other methods, 404 for other paths. */
export function createRestRouter({ endpoints, reads, prefix, readBody, contextOf }: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const resource = router.route(path);
    for (const endpoint of endpoints.filter((one) => one.path === path)) {
      if (endpoint.method === 'POST') resource.post(createHandler(endpoint, { prefix, readBody, contextOf }));
    }
    for (const read of reads.filter(({ endpoint }) => endpoint.path === path)) {
      resource.get(readHandler(read, contextOf));
    }
    const allowed = allowedMethods(path);
    resource.all(({ method }, response) => sendMethodNotAllowed(response, method, allowed));
  }
  router.use((_request, response) => sendPathNotFound(response));
  return router;
}
