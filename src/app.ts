import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import { logFailure } from '@service/graphql-server/errors';
import { rejectOtherSubprotocols } from '@service/graphql-server/handler';
import type { PersistedOperations } from '@service/graphql-server/persisted-operations';
import { graphqlPath } from '@service/graphql-server/request';
import { isWebSocketUpgrade } from '@service/graphql-server/web-sockets';
import type { AdmissionControl } from '@service/http/admission';
import type { ByteBudget } from '@service/http/byte-budget';
import { sendError, sendErrorWithRules } from '@service/http/errors';
import { createCors, privateHeadersFor, securityHeaders, setHeaders } from '@service/http/headers';
import { createJsonBodyReader, type LongerBodies } from '@service/http/json-body';
import { isPrefix, pathPrefixOf, withoutPrefix } from '@service/http/path-prefix';
import type { RateLimit } from '@service/http/rate-limit';
import { accessLog, assignRequestId, decodablePath } from '@service/http/request';
import { type MessageClasses, messageClassesFor } from '@service/http/server';
import type { Metrics } from '@service/telemetry/metrics';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { CatalogFeed } from './academics/changes/catalog-feed.ts';
import { saveAttributeDefinition } from './academics/definitions/operations.ts';
import { createExportRouter, exportPath } from './academics/import-export/http/export-router.ts';
import { createImportRouter, importPath } from './academics/import-export/http/import-router.ts';
import { createFileReader } from './academics/import-export/http/received-file.ts';
import type { Authenticate, AuthenticateCached, WaitsForKeys } from './accounts/authentication/authenticate.ts';
import type { AuthFailureLimit } from './accounts/authentication/failure-limit.ts';
import { maskCredentials } from './accounts/keys/api-key.ts';
import type { Cookies } from './accounts/sessions/cookies.ts';
import type { Provider } from './accounts/sessions/provider/identity-provider.ts';
import { createSessionRouter, sessionPath } from './accounts/sessions/router.ts';
import type { ProviderShares } from './accounts/sessions/session-writes.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config.ts';
import type { Readiness } from './database/availability.ts';
import { admit, authenticateRequest, stateOf } from './doors/authenticate-request.ts';
import { createPostMatcher } from './doors/cacheable-graphql.ts';
import { createFastPath } from './doors/fast-path.ts';
import { createGraphqlEndpoint, sendGraphqlError } from './doors/graphql/endpoint.ts';
import { createRestRouter } from './doors/rest/router.ts';
import { basePath, noteRoute, restMethods } from './doors/rest/routes.ts';
import { toServiceError } from './operations/errors.ts';
import type { App } from './operations/request.ts';
import { createPages } from './pages/pages.ts';
import { createHealthRouter, createMetricsRouter, isProbe } from './pages/probes.ts';

export interface AppOptions extends App {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
  readonly authenticateCached: AuthenticateCached;
  readonly waitsForKeys: WaitsForKeys;
  readonly failureLimit: AuthFailureLimit;
  readonly cookies: Cookies;
  readonly provider: Provider | undefined;
  readonly shareOfProvider: ProviderShares;
  readonly responseCache: ResponseCache;
  readonly admission: AdmissionControl;
  readonly feed: CatalogFeed;
  readonly rateLimit: RateLimit;
  readonly slowClients: ByteBudget;
  readonly persistedOperations: PersistedOperations | undefined;
  readonly readiness: Readiness;
}

interface Application {
  readonly handler: RequestListener;
  readonly messages: MessageClasses;
  readonly isUrgent: (request: IncomingMessage) => boolean;
}

/** Middleware and routes, in the order of a request. */
export function createApp(options: AppOptions): Application {
  const { config, schema, responseCache, admission, persistedOperations, log, readiness, metrics, tracing } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUSTED_PROXY_HOPS);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const { authenticate, identify, stateOfRead, slowBody } = authenticateRequest(options);
  const { slowClients } = options;
  const { BODY_LIMIT_BYTES: bodyLimitBytes } = config;
  const readBody = slowBody(createJsonBodyReader(bodyLimitBytes, slowClients));
  const readGraphqlBody = slowBody(createJsonBodyReader(bodyLimitBytes, slowClients, allChoices));
  const readFile = slowBody(createFileReader(config.IMPORT_MAX_BYTES));
  const crossOrigin = {
    origins: config.CORS_ORIGINS,
    credentialHeaders: ['x-api-key', 'authorization'],
    methods: [...new Set(['GET', 'HEAD', 'POST', ...restMethods])],
  };
  const cors = createCors(crossOrigin);
  const privateHeaders = privateHeadersFor(crossOrigin);
  const authenticated: RequestHandler[] = [setHeaders(privateHeaders), admit(admission), authenticate];
  /** Precedes the addresses in responses. */
  const prefix = pathPrefixOf(config.PUBLIC_URL);
  const routerOptions = {
    schema,
    responseBytesMax: config.RESPONSE_MAX_BYTES,
    prefix,
    readBody,
    responseCache,
    admission,
    persistedOperations,
  };

  app.use(
    assignRequestId(log, maskCredentials, tracing?.traceId),
    setHeaders(securityHeaders),
    accessLog(metrics, maskCredentials, ({ caller }) => caller),
    cors.preflight,
    decodablePath,
  );
  app.use(basePath, noteRoute, authenticated, createRestRouter(routerOptions));
  if (config.METRICS_PORT === undefined) app.use(createMetricsRouter(metrics));
  const pages = createPages(prefix);
  app.use(createHealthRouter(readiness), pages.router);
  const graphql = createGraphqlEndpoint({ ...routerOptions, readBody: readGraphqlBody });
  app.all(graphqlPath, rejectOtherSubprotocols, authenticated, graphql.handler);
  app.use(graphqlPath, errorHandler(metrics, sendGraphqlError));
  app.use(sessionPath, setHeaders(sessionHeaders), admit(admission));
  app.use(createSessionRouter({ ...options, identify }));
  app.use(exportPath, authenticated, createExportRouter({ stateOf, admission }));
  app.use(importPath, authenticated, createImportRouter({ stateOf, admission, readFile }));
  app.use([exportPath, importPath], errorHandler(metrics, sendErrorWithRules));
  app.use(pages.notFound);
  app.use(errorHandler(metrics, sendError));
  const fastPath = createFastPath({
    ...options,
    prefix,
    matchPost: createPostMatcher(graphql.prepare, bodyLimitBytes),
    stateOfRead,
    privateHeaders,
    bodyLimitBytes,
    fallback: app,
  });
  const handler: RequestListener = (request, response) => {
    cors.setHeaders(request, response);
    const target = request.url ?? '';
    if (isPrefix(target, prefix)) {
      response.writeHead(308, { location: `${prefix}/` }).end();
      return;
    }
    request.url = withoutPrefix(target, prefix);
    options.cookies.useSession(request);
    if (admission.isOpen()) fastPath(request, response);
    else app(request, response);
  };
  return {
    handler: tracing?.requests(handler) ?? handler,
    messages: messageClassesFor(app, (request) => isWebSocketUpgrade(request, prefix)),
    isUrgent: ({ url = '' }) => isProbe(withoutPrefix(url, prefix)),
  };
}

/** Enough for 5,000 choices of 400 bytes. */
const definitionBytesMax = 2_000_000;

/** An administrator defines all choices of an attribute in one request. */
const allChoices: LongerBodies = {
  limitBytes: definitionBytesMax,
  isFrom: (request) => stateOf(request).caller.permissions.has('admin'),
  text: saveAttributeDefinition.name,
};

const sessionHeaders = [['Cache-Control', 'no-store']] as const;

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
