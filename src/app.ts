import type { RequestListener, ServerResponse } from 'node:http';
import type { RunInGroupCommit } from '@service/postgres/group-commit';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Authenticate, AuthenticateCached } from './auth/authenticate.ts';
import type { CallerMonitor } from './auth/caller-monitor.ts';
import { admit, authenticateRequest, contextOf } from './authenticate-request.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { CatalogFeed } from './change-feed/feed.ts';
import type { Config } from './config.ts';
import type { ChangeMonitor } from './database/change-log/change-monitor.ts';
import type { Database } from './database/connection/types.ts';
import type { ServiceError } from './errors.ts';
import { createFastPath } from './fast-path/fast-path.ts';
import { logFailure, toServiceError } from './graphql/errors.ts';
import { createGraphqlHandler, rejectOtherSubprotocols, sendGraphqlError } from './graphql/server/handler.ts';
import type { PersistedOperations } from './graphql/server/persisted-operations.ts';
import { isWebSocketUpgrade } from './graphql/server/web-sockets.ts';
import { graphqlPath } from './graphql/server/yoga.ts';
import type { AdmissionControl } from './http/admission.ts';
import type { ByteBudget } from './http/byte-budget.ts';
import { createCors } from './http/cors.ts';
import { decodablePath } from './http/decodable-path.ts';
import { type MessageClasses, messageClassesFor } from './http/express-prototypes.ts';
import { createJsonBodyReader } from './http/json-body.ts';
import type { RateLimit } from './http/rate-limit.ts';
import { assignRequestId } from './http/request.ts';
import { privateHeadersFor, securityHeaders, setHeaders } from './http/security-headers.ts';
import { sendError } from './http/send.ts';
import { createFileReader } from './import-export/received-file.ts';
import { createExportRouter, createImportRouter, exportPath, importPath } from './import-export/router.ts';
import { accessLog } from './observability/access-log.ts';
import type { Readiness } from './observability/health.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import { createHealthRouter } from './pages/health-routes.ts';
import { createMetricsRouter } from './pages/metrics-route.ts';
import { createPages } from './pages/pages.ts';
import { prepareEndpoints } from './rest/endpoints.ts';
import { createRestRouter, notePatterns } from './rest/router.ts';
import { basePath } from './rest/routes.ts';
import type { ExportCatalog } from './transfer/exporter.ts';
import type { ImportFile } from './transfer/importer.ts';

export interface AppOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly db: Database;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly importFile: ImportFile;
  readonly exportCatalog: ExportCatalog;
  readonly changes: ChangeMonitor;
  readonly callers: CallerMonitor;
  readonly authenticate: Authenticate;
  readonly authenticateCached: AuthenticateCached;
  readonly responseCache: ResponseCache;
  readonly feed: CatalogFeed;
  readonly admission: AdmissionControl;
  readonly rateLimit: RateLimit;
  readonly slowClients: ByteBudget;
  readonly persistedOperations: PersistedOperations | undefined;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

interface App {
  readonly handler: RequestListener;
  readonly messages: MessageClasses;
}

/** Middleware and routes, in the order in which a request passes them. */
export function createApp(options: AppOptions): App {
  const { config, schema, responseCache, admission, persistedOperations, log, readiness, metrics, tracing } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUSTED_PROXY_HOPS);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const { authenticate, slowBody } = authenticateRequest(options);
  const { slowClients } = options;
  const { BODY_LIMIT_BYTES: bodyLimitBytes } = config;
  const readBody = slowBody(createJsonBodyReader(bodyLimitBytes, slowClients));
  const readFile = slowBody(createFileReader(config.IMPORT_MAX_BYTES));
  const cors = createCors(config.CORS_ORIGINS);
  const privateHeaders = privateHeadersFor(config.CORS_ORIGINS !== undefined);
  const authenticated: RequestHandler[] = [setHeaders(privateHeaders), admit(admission), authenticate];
  const endpoints = prepareEndpoints(schema);
  const routerOptions = {
    schema,
    endpoints,
    readBody,
    contextOf,
    responseCache,
    admission,
    persistedOperations,
  };

  app.use(
    assignRequestId(log, tracing?.traceId),
    setHeaders(securityHeaders),
    accessLog(metrics),
    cors.preflight,
    decodablePath,
  );
  app.use(basePath, notePatterns(), authenticated, createRestRouter(routerOptions));
  if (config.METRICS_PORT === undefined) app.use(createMetricsRouter(metrics));
  const pages = createPages();
  app.use(createHealthRouter(readiness), pages.router);
  app.all(graphqlPath, rejectOtherSubprotocols, authenticated, createGraphqlHandler(routerOptions));
  app.use(graphqlPath, errorHandler(metrics, sendGraphqlError));
  app.use(exportPath, authenticated, createExportRouter({ ...options, contextOf }));
  app.use(importPath, authenticated, createImportRouter({ contextOf, admission, readFile }));
  app.use(pages.notFound);
  app.use(errorHandler(metrics, sendError));
  const fastPath = createFastPath({
    ...options,
    endpoints,
    privateHeaders,
    bodyLimitBytes,
    fallback: app,
  });
  const handler: RequestListener = (request, response) => {
    cors.setHeaders(request, response);
    if (admission.isOpen()) fastPath(request, response);
    else app(request, response);
  };
  return { handler: tracing?.requests(handler) ?? handler, messages: messageClassesFor(app, isWebSocketUpgrade) };
}

function errorHandler(
  metrics: Metrics,
  send: (response: ServerResponse, error: ServiceError) => void,
): ErrorRequestHandler {
  return (problem: unknown, request, response, _next) => {
    const error = toServiceError(problem);
    metrics.failed(error.code);
    logFailure(request.log, error);
    if (response.headersSent) request.destroy();
    else send(response, error);
  };
}
