import { type ErrorRequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { JsonBodyReader } from '../http/json-body.ts';
import { sendJson, sendMethodNotAllowed } from '../http/send.ts';
import { type ContextOf, endpoint } from './endpoint.ts';
import { invalidIdentifier } from './input.ts';
import { routes } from './routes.ts';

interface RestOptions {
  readonly schema: GraphQLSchema;
  readonly readBody: JsonBodyReader;
  readonly contextOf: ContextOf;
}

/** The REST surface below `{base_url}`: every row of the table, 405 for other methods, 404 for other paths. */
export function createRestRouter({ schema, readBody, contextOf }: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const rows = routes.filter((route) => route.path === path);
    const resource = router.route(path);
    for (const row of rows) {
      const handler = endpoint(row, schema, readBody, contextOf);
      if (row.method === 'GET') resource.get(handler);
      else resource.post(handler);
    }
    const allowed = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    resource.all((request, response) => {
      sendMethodNotAllowed(response, allowed, { message: `${request.method} is not allowed here; use ${allowed}.` });
    });
  }
  router.use((_request, response) => {
    sendJson(response, 404, { message: 'There is no such path.' });
  });
  router.use(undecodable);
  return router;
}

/** Express refuses to decode `%zz`; where a path has an id, that is an id which is no number. */
const undecodable: ErrorRequestHandler = (problem: unknown, _request, _response, next) => {
  next(problem instanceof URIError ? invalidIdentifier() : problem);
};
