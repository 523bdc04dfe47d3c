import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Authenticate, Recognize } from './auth/authenticate.ts';
import type { KeptResults } from './cache/kept-results.ts';
import type { Config } from './config.ts';
import type { Changes } from './database/changes.ts';
import type { Database } from './database/client.ts';
import type { InOwnTransaction } from './database/own-transaction.ts';
import { contextOf, createEntrance, gateway } from './entrance.ts';
import { createFrontDesk } from './front-desk/front-desk.ts';
import { createGraphqlDoor, graphqlFailed } from './graphql/door.ts';
import { logFailure, publicError } from './graphql/public-error.ts';
import type { StoredOperations } from './graphql/stored-operations.ts';
import { graphqlPath } from './graphql/yoga.ts';
import { createCors } from './http/cors.ts';
import type { Gate } from './http/gate.ts';
import { createJsonBodyReader } from './http/json-body.ts';
import { type Messages, messagesFor } from './http/messages.ts';
import { identify } from './http/request.ts';
import { securityFields, setting, unlockedFieldsFor } from './http/security-headers.ts';
import { sendError, sendJson } from './http/send.ts';
import type { CatalogFeed } from './live/catalog-feed.ts';
import type { Readiness } from './operations/health.ts';
import type { Metrics } from './operations/metrics.ts';
import { createMetricsPage } from './operations/metrics-page.ts';
import { observe } from './operations/observe.ts';
import type { RateLimit } from './operations/rate-limit.ts';
import type { Tracing } from './operations/tracing.ts';
import { version } from './operations/version.ts';
import { createPages } from './pages/pages.ts';
import { createOpenApi } from './rest/openapi/document.ts';
import { createRestRouter } from './rest/router.ts';
import { basePath } from './rest/routes.ts';

/** What the application needs; whoever makes these closes them. */
export interface AppOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly db: Database;
  readonly inOwnTransaction: InOwnTransaction;
  readonly changes: Changes;
  readonly authenticate: Authenticate;
  readonly recognize: Recognize;
  readonly kept: KeptResults;
  readonly feed: CatalogFeed;
  readonly gate: Gate;
  readonly rateLimit: RateLimit;
  readonly stored: StoredOperations | undefined;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

/** What a server needs to answer. */
interface App {
  readonly answer: RequestListener;
  readonly messages: Messages;
}

/** The path of a request, from the door to the answer, in order. */
export function createApp(options: AppOptions): App {
  const { config, schema, changes, kept, gate, stored, log, readiness, metrics, tracing } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUSTED_PROXY_HOPS);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const { enter, patient } = createEntrance(options);
  const readBody = patient(createJsonBodyReader(config.BODY_LIMIT_BYTES));
  const cors = createCors(config.CORS_ORIGINS);
  const unlockedFields = unlockedFieldsFor(config.CORS_ORIGINS !== undefined);
  const unlocked: RequestHandler[] = [setting(unlockedFields), gateway(gate), enter];
  const inside = { schema, readBody, contextOf, kept, changes, gate, stored };

  app.use(identify(log, tracing), setting(securityFields), observe(metrics), cors.preflight);
  if (config.METRICS_PORT === undefined) app.use(createMetricsPage(metrics));
  const metricsPath = config.METRICS_PORT === undefined ? '/metrics' : null;
  app.use(createPages({ readiness, openApi: createOpenApi(schema, version), metricsPath }));
  app.use(basePath, unlocked, createRestRouter(inside));
  app.all(graphqlPath, unlocked, createGraphqlDoor(inside));
  app.use(graphqlPath, graphqlFailed);
  app.use((_request, response) => sendJson(response, 404, { message: 'There is no such path.' }));
  app.use(failed);
  const frontDesk = createFrontDesk({
    ...options,
    unlockedFields,
    bodyLimitBytes: config.BODY_LIMIT_BYTES,
    handOn: app,
  });
  const answer: RequestListener = (request, response) => {
    cors.mark(request, response);
    if (gate.isOpen()) frontDesk(request, response);
    else app(request, response);
  };
  return { answer: tracing?.requests(answer) ?? answer, messages: messagesFor(app) };
}

/** Whatever was thrown on the way becomes an answer here. */
const failed: ErrorRequestHandler = (problem: unknown, request, response, _next) => {
  const error = publicError(problem);
  logFailure(request.log, error);
  if (response.headersSent) request.destroy();
  else sendError(response, error);
};
