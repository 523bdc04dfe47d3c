import { readPersistedOperations } from '@service/graphql-server/persisted-operations';
import { openWebSockets } from '@service/graphql-server/web-sockets';
import { createAdmissionControl } from '@service/http/admission';
import { createByteBudget } from '@service/http/byte-budget';
import { createRateLimit } from '@service/http/rate-limit';
import { type Address, checkAddress, type HttpServer, startHttpServer } from '@service/http/server';
import { monitorDelay } from '@service/telemetry/event-loop-delay';
import { createMetrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import { observeCatalog } from './academics/catalog-metrics.ts';
import { openCatalogFeed } from './academics/changes/catalog-feed.ts';
import { createKnownDefinitions } from './academics/definitions/known-definitions.ts';
import { createComparer } from './academics/editions/comparison.ts';
import { createExporter } from './academics/import-export/export/exporter.ts';
import { createImporter } from './academics/import-export/import/importer.ts';
import { countRecords } from './academics/sql/stats.ts';
import { createAuthenticate } from './accounts/authentication/authenticate.ts';
import { createCallerMonitor } from './accounts/authentication/caller-monitor.ts';
import { usualReasons } from './accounts/authentication/errors.ts';
import { createAuthFailureLimit } from './accounts/authentication/failure-limit.ts';
import { admitKey, welcome } from './accounts/bootstrap.ts';
import { openJwtVerifier } from './accounts/jwt/open.ts';
import { maskCredentials } from './accounts/keys/api-key.ts';
import { observeExpiringKeys } from './accounts/keys/expiring-keys.ts';
import { createLastUsed } from './accounts/keys/last-used.ts';
import { applySignInDays } from './accounts/keys/sign-in-end.ts';
import { createCookies } from './accounts/sessions/cookies.ts';
import { openProvider } from './accounts/sessions/provider/open-provider.ts';
import { type AppOptions, createApp } from './app.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { startCleanup } from './cleanup.ts';
import type { Config } from './config.ts';
import { type Connections, openConnections, type Releases, type ServiceOptions } from './connections.ts';
import { createReadiness, observeReadiness, retryAtStart } from './database/availability.ts';
import { schema } from './doors/graphql/schema.ts';
import { serviceName, version } from './installation.ts';
import { KeptOutcomes } from './operations/kept-outcomes.ts';
import { createMetricsApp } from './pages/probes.ts';

export interface Service {
  readonly url: string;
  /** `/readyz` responds 503 from now on, while requests are still served. */
  announceStop(): void;
  /** Finishes the requests in flight and releases all resources; for at least `noticeMs`, announces the shutdown. */
  close(noticeMs?: number): Promise<void>;
}

/** Bytes of unfinished bodies and of unread messages to WebSockets. Files to import have a budget of their own. */
const slowClientsBytesMax = 64_000_000;

/**
 * Starts the service, for the process and for tests. @throws StartupError when a dependency is missing, or the signal's
 * reason when aborted; nothing stays open then.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, report, signal } = options;
  const opened: Releases = [];
  const close = async (noticeMs = 0): Promise<void> => {
    for (const release of opened.reverse()) await release(noticeMs);
  };
  const { BOOTSTRAP_API_KEY: givenKey, HOST, PORT, METRICS_PORT } = config;
  try {
    // Fail on a port in use before a database is created.
    const address = addressOf(HOST, PORT, 'PORT');
    const metricsAddress = METRICS_PORT === undefined ? undefined : addressOf(HOST, METRICS_PORT, 'METRICS_PORT');
    for (const each of [address, metricsAddress]) if (each !== undefined) await checkAddress(each);
    const tracing = await openTracingFor(config, log);
    if (tracing !== undefined) opened.push(() => tracing.close());
    const operationsFile = config.GRAPHQL_PERSISTED_OPERATIONS_FILE;
    const persistedOperations =
      operationsFile === undefined
        ? undefined
        : await readPersistedOperations({ path: operationsFile, setting: 'GRAPHQL_PERSISTED_OPERATIONS_FILE' }, schema);
    const connections = await openConnections(options, tracing, opened);
    const { db, changes, warmups } = connections;
    await retryAtStart(() => applySignInDays(db, config.OWN_KEYS_SIGN_IN_DAYS), signal);
    if (givenKey !== undefined) await retryAtStart(() => admitKey(db, givenKey), signal);
    const dependencies = await openDependencies(options, { ...connections, tracing }, opened);
    const { readiness, admission, feed, metrics, slowClients, cookies } = dependencies;
    const { handler, messages, isUrgent } = createApp({ config, schema, log, persistedOperations, ...dependencies });
    signal?.throwIfAborted();
    const servers: HttpServer[] = [];
    opened.push(async (noticeMs) => {
      await Promise.all(servers.map((server) => server.close(noticeMs)));
    });
    // Open connections before the first request: on a busy machine, opening one can exceed the request's timeout.
    await Promise.all(warmups);
    const onError = (err: Error): void => log.error({ err }, 'a connection could not be accepted');
    const server = await startHttpServer(handler, address, { messages, onError, mask: maskCredentials, isUrgent });
    servers.push(server);
    const messageBytesMax = config.BODY_LIMIT_BYTES;
    const webSockets = openWebSockets({
      httpServer: server,
      schema,
      messageBytesMax,
      slowClients,
      log,
      onUpgrade: cookies.useSession,
    });
    if (metricsAddress !== undefined) {
      const metricsServer = await startHttpServer(createMetricsApp(metrics, log), metricsAddress, {
        onError,
        mask: maskCredentials,
      });
      servers.push(metricsServer);
      report(`metrics on ${metricsServer.url}/metrics`);
    }
    opened.push(async () => {
      readiness.stop();
      admission.close();
      // Subscriptions never end by themselves; other requests are waited for.
      await feed.close();
      await webSockets.close();
    });
    const message = await retryAtStart(() => welcome(db, givenKey), signal);
    if (message !== undefined) report(message);
    // Startup may create a key: read that change now, so that it does not invalidate caches later.
    await changes.refresh().catch(() => undefined);
    // Log a problem at the start, even before `/readyz` is called.
    warmups.push(readiness.problem());
    return { url: server.url, announceStop: readiness.stop, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/** Loads OpenTelemetry's SDK only when there is an endpoint. */
async function openTracingFor({ OTEL_EXPORTER_OTLP_ENDPOINT }: Config, log: Logger): Promise<Tracing | undefined> {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { openTracing } = await import('@service/telemetry/open-tracing');
  return openTracing({ name: serviceName, version, log, mask: maskCredentials });
}

function addressOf(host: string, port: number, variable: string): Address {
  return { host, port, settings: { host: 'HOST', port: variable } };
}

type Dependencies = Omit<AppOptions, 'config' | 'schema' | 'log' | 'persistedOperations'>;

async function openDependencies(
  { config, log }: ServiceOptions,
  connections: Connections & { readonly tracing: Tracing | undefined },
  opened: Releases,
): Promise<Dependencies> {
  const { postgres, pool, db, longTransactions, shareWrites, shareOfProvider, runInGroupCommit, changes, tracing } =
    connections;
  const tokens = await openJwtVerifier({ ...config, warn: (message) => log.warn(message) });
  opened.push(async () => tokens.close());
  const lastUsed = createLastUsed(db);
  opened.push(() => lastUsed.close());
  const cleanup = startCleanup(db, changes, log);
  opened.push(() => cleanup.close());
  const failureLimit = createAuthFailureLimit(config.AUTH_FAILURES_PER_MINUTE);
  const metrics = createMetrics({ version, credentialReasons: usualReasons, onRequest: tracing?.requestCompleted });
  metrics.observePool(pool);
  const isLive = (): boolean => changes.snapshot('access').isCurrent();
  observeCatalog({ count: () => countRecords(db), isLive }, metrics.registers);
  observeExpiringKeys(db, metrics.registers);
  const readiness = createReadiness(db, log);
  observeReadiness(readiness, metrics.registers);
  const eventLoop = monitorDelay();
  opened.push(async () => eventLoop.close());
  const callers = createCallerMonitor({ db, changes });
  opened.push(async () => callers.close());
  const feed = openCatalogFeed({ db, changes, callers, log });
  opened.push(() => feed.close());
  metrics.observeSubscribers(feed);
  return {
    db,
    longTransactions,
    shareWrites,
    shareOfProvider,
    runInGroupCommit,
    importFile: createImporter(postgres.url),
    definitions: createKnownDefinitions(changes),
    exportCatalog: createExporter(postgres.url),
    compareCatalogs: createComparer(postgres.url),
    changes,
    callers,
    failureLimit,
    ...createAuthenticate({ db, changes, tokens, failureLimit, lastUsed }),
    cookies: createCookies(config),
    provider: await openProvider(config, db, (message) => log.warn(message)),
    responseCache: createResponseCache({
      changes,
      bytesMax: config.RESPONSE_CACHE_MAX_BYTES,
      count: metrics.cacheLookup,
    }),
    slowClients: createByteBudget(slowClientsBytesMax),
    admission: createAdmissionControl({ delayMs: () => eventLoop.delayMs(), rejected: metrics.rejected }),
    keptOutcomes: new KeptOutcomes(),
    rateLimit: createRateLimit(config.RATE_LIMIT_PER_MINUTE, () => metrics.rateLimited('caller')),
    feed,
    readiness,
    metrics,
    tracing,
  };
}
