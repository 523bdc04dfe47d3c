import { sendMethodNotAllowed, sendPathNotFound } from '@service/http/errors';
import type { JsonBodyReader } from '@service/http/json-body';
import { sendRepresentation } from '@service/http/representation';
import { type Request, type RequestHandler, Router } from 'express';
import { Reading } from '../../operations/request.ts';
import { stateOf } from '../authenticate-request.ts';
import { ignoredParameters, nameIgnored } from './ignored.ts';
import { type ReadOptions, readOf, readResource } from './read.ts';
import { allowedMethods, type ReadRoute, routes, type WriteRoute } from './routes.ts';
import { writeResource } from './write.ts';

interface RestOptions extends ReadOptions {
  readonly readBody: JsonBodyReader;
}

/** The REST router below `/v1`: every endpoint, 405 for other methods, 404 for other paths. */
export function createRestRouter(options: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const resource = router.route(path);
    for (const route of routes.filter((one) => one.path === path)) {
      if (route.method === 'GET') resource.get(reader(route, options));
      else if (route.method === 'POST') resource.post(writer(route, options));
      else resource.patch(writer(route, options));
    }
    const allowed = allowedMethods(path);
    resource.all(({ method }, response) => sendMethodNotAllowed(response, method, allowed));
  }
  router.use((_request, response) => sendPathNotFound(response));
  return router;
}

const queryOf = ({ originalUrl }: Request): string => originalUrl.split('?').slice(1).join('?');

function writer(route: WriteRoute, options: RestOptions): RequestHandler {
  return (request, response) => {
    nameIgnored(response, route, ignoredParameters(route, queryOf(request)), stateOf(request).app.metrics);
    return writeResource(route, request, response, options);
  };
}

/** Serves the requests that the fast path does not: it calls the same function. */
function reader(route: ReadRoute, options: ReadOptions): RequestHandler {
  return async (request, response) => {
    const state = stateOf(request);
    const release = state.holdSlot();
    const id = String(request.params['id'] ?? '');
    const query = queryOf(request);
    nameIgnored(response, route, ignoredParameters(route, query), state.app.metrics);
    try {
      const read = readOf(route, { id, query });
      sendRepresentation(request, response, await readResource(route, read, new Reading(state), options));
    } finally {
      release();
    }
  };
}
