import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Authenticate } from './auth/authenticate.ts';
import type { Config } from './config.ts';
import { createContext, type RequestContext } from './context.ts';
import type { Changes } from './database/changes.ts';
import type { Database } from './database/client.ts';
import { createGraphqlDoor, graphqlFailed } from './graphql/door.ts';
import { logFailure, publicError } from './graphql/public-error.ts';
import { graphqlPath } from './graphql/yoga.ts';
import { createJsonBodyReader } from './http/json-body.ts';
import { identify } from './http/request.ts';
import { securityHeaders, unlockedHeaders } from './http/security-headers.ts';
import { sendError, sendJson } from './http/send.ts';
import type { Readiness } from './operations/health.ts';
import type { Metrics } from './operations/metrics.ts';
import { createMetricsPage } from './operations/metrics-page.ts';
import { observe } from './operations/observe.ts';
import { createPages } from './pages/pages.ts';
import { createRestRouter } from './rest/router.ts';
import { basePath } from './rest/routes.ts';

/** What the application needs; whoever makes these closes them. */
export interface AppOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly db: Database;
  readonly changes: Changes;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

/** The path of a request, from the door to the answer, in order. */
export function createApp({ config, schema, db, changes, authenticate, log, readiness, metrics }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUSTED_PROXY_HOPS);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const enter = entrance({ db, changes, authenticate, metrics });
  const readBody = createJsonBodyReader(config.BODY_LIMIT_BYTES);

  app.use(identify(log), securityHeaders, observe(metrics));
  if (config.METRICS_PORT === undefined) app.use(createMetricsPage(metrics));
  app.use(createPages({ readiness }));
  app.use(basePath, unlockedHeaders, enter, createRestRouter({ schema, readBody, contextOf }));
  app.all(graphqlPath, unlockedHeaders, enter, createGraphqlDoor({ schema, readBody, contextOf }));
  app.use(graphqlPath, graphqlFailed);
  app.use((_request, response) => sendJson(response, 404, { message: 'There is no such path.' }));
  app.use(failed);
  return app;
}

/** Finds out who asks, before anything else about the request is looked at (`contract.md` 2). */
type Inside = Pick<AppOptions, 'db' | 'changes' | 'authenticate' | 'metrics'>;

function entrance({ db, changes, authenticate, metrics }: Inside): RequestHandler {
  return async (request, response, next) => {
    const caller = await authenticate({
      apiKey: request.get('x-api-key'),
      authorization: request.get('authorization'),
      address: request.ip ?? '',
    });
    contexts.set(response, createContext({ caller, requestId: request.id, log: request.log, db, changes, metrics }));
    next();
  };
}

/** Contexts by answer: Express's own `locals` would forget their type. */
const contexts = new WeakMap<Response, RequestContext>();

function contextOf(response: Response): RequestContext {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('The request has not been authenticated.');
  return context;
}

/** Whatever was thrown on the way becomes an answer here. */
const failed: ErrorRequestHandler = (problem: unknown, request, response, _next) => {
  const error = publicError(problem);
  logFailure(request.log, error);
  if (response.headersSent) request.destroy();
  else sendError(response, error);
};
