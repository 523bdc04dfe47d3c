import express from 'express';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { admitKey, welcome } from './auth/bootstrap.ts';
import { createAuthFailureLimit } from './auth/failure-limit.ts';
import { openJwtVerifier } from './auth/jwt/open.ts';
import { createLastUsed } from './auth/last-used.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { openCatalogFeed } from './change-feed/feed.ts';
import type { Config } from './config.ts';
import { openChangeMonitor } from './database/change-log/change-monitor.ts';
import { startCleanup } from './database/cleanup.ts';
import { openGroupCommit } from './database/connection/group-commit.ts';
import { openPipelinedPool } from './database/connection/pipelined-pool.ts';
import { openPool, prewarm } from './database/connection/pool.ts';
import { isPooled } from './database/connection/pooler.ts';
import { openDatabase } from './database/connection/prisma.ts';
import { retryWhileUnavailable } from './database/connection/retry.ts';
import { openPostgres } from './database/open-postgres.ts';
import { schema } from './graphql/schema/schema.ts';
import { readPersistedOperations } from './graphql/server/persisted-operations.ts';
import { createAdmissionControl } from './http/admission.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { checkAddress, type HttpServer, startHttpServer } from './http/server.ts';
import { monitorDelay } from './observability/event-loop-delay.ts';
import { createReadiness } from './observability/health.ts';
import { createMetrics } from './observability/metrics.ts';
import { openTracing } from './observability/open-tracing.ts';
import { version } from './observability/version.ts';
import { createMetricsRouter } from './pages/metrics-route.ts';

/** A running service. */
export interface Service {
  /** `http://HOST:PORT`. */
  readonly url: string;
  /**
   * Finishes the requests under way and lets go of everything.
   *
   * @param noticeMs tells everybody for this long, at least, that the service stops.
   */
  close(noticeMs?: number): Promise<void>;
}

interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Gets sentences for the operator, the first administrator's key among them. */
  readonly tell: (sentence: string) => void;
  /** Aborted when the start shall be given up. */
  readonly signal?: AbortSignal;
  /** Told of every SQL statement; for tests that count them. */
  readonly onStatement?: (sql: string) => void;
}

/**
 * Starts the service: the one way to, for the process and for tests.
 *
 * @throws StartupError when something that it needs cannot be had, or the signal's reason when it was given up;
 *   nothing stays open then.
 */
export async function startService({ config, log, tell, signal, onStatement }: ServiceOptions): Promise<Service> {
  const opened: ((noticeMs: number) => Promise<void>)[] = [];
  const close = async (noticeMs = 0): Promise<void> => {
    for (const release of opened.reverse()) await release(noticeMs);
  };
  const { BOOTSTRAP_API_KEY: givenKey, HOST, PORT, METRICS_PORT } = config;
  try {
    // What can fail does so before a database is made.
    for (const port of [PORT, METRICS_PORT]) if (port !== undefined) await checkAddress(HOST, port);
    const tracing = await openTracing(config, log);
    if (tracing !== undefined) opened.push(() => tracing.close());
    const persistedOperations = await readPersistedOperations(config.GRAPHQL_PERSISTED_OPERATIONS_FILE, schema);
    const store = await openPostgres(config, tell, signal);
    opened.push(() => store.close());
    signal?.throwIfAborted();
    const pool = openPool(store.url, { max: config.DATABASE_POOL_SIZE });
    const pipelinedPool = openPipelinedPool(store.url);
    opened.push(() => pipelinedPool.close());
    const watched = { ...(onStatement && { onStatement }), ...(tracing && { hook: tracing.statement }) };
    const runInGroupCommit = openGroupCommit({ pool, ...watched, prepares: !isPooled(store.url) });
    const db = openDatabase({ url: store.url, pool, pipelinedPool, ...watched });
    opened.push(() => db.$disconnect());
    // Whoever asks first finds them open; until then there is other work to do.
    const warming = [pipelinedPool.prewarm()];
    opened.push(async () => void (await Promise.all(warming)));
    const changes = await openChangeMonitor(store.directUrl, (message) => log.warn(message));
    opened.push(() => changes.close());
    const tokens = await openJwtVerifier({ ...config, warn: (message) => log.warn(message) });
    opened.push(async () => tokens.close());
    const lastUsed = createLastUsed(db);
    opened.push(() => lastUsed.close());
    const cleanUp = startCleanup(db, log);
    opened.push(() => cleanUp.close());
    const failureLimit = createAuthFailureLimit(config.AUTH_FAILURES_PER_MINUTE);
    const { authenticate, authenticateCached } = createAuthenticate({ db, changes, tokens, failureLimit, lastUsed });
    if (givenKey !== undefined) await retryWhileUnavailable(() => admitKey(db, givenKey), signal);
    const metrics = createMetrics(version, tracing?.requestCompleted);
    metrics.observePool(pool);
    const responseCache = createResponseCache({
      changes,
      bytesMax: config.RESPONSE_CACHE_MAX_BYTES,
      count: metrics.cacheLookup,
    });
    const readiness = createReadiness(db, log);
    const eventLoop = monitorDelay();
    opened.push(async () => eventLoop.close());
    const admission = createAdmissionControl({ delayMs: () => eventLoop.delayMs(), rejected: metrics.rejected });
    const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE);
    const feed = openCatalogFeed({ db, changes, log });
    opened.push(() => feed.close());
    metrics.observeSubscribers(feed);
    const inside = {
      db,
      runInGroupCommit,
      changes,
      authenticate,
      authenticateCached,
      responseCache,
      admission,
      rateLimit,
      persistedOperations,
      feed,
      tracing,
    };
    const { answer, messages } = createApp({ config, schema, ...inside, log, readiness, metrics });
    signal?.throwIfAborted();
    const listening: HttpServer[] = [];
    opened.push(async (noticeMs) => {
      await Promise.all(listening.map((listener) => listener.close(noticeMs)));
    });
    const onError = (err: Error): void => log.error({ err }, 'a connection could not be accepted');
    const listener = await startHttpServer(answer, HOST, PORT, { messages, onError });
    listening.push(listener);
    if (METRICS_PORT !== undefined) {
      const metricsPage = express().use(createMetricsRouter(metrics));
      const metricsListener = await startHttpServer(metricsPage, HOST, METRICS_PORT, { onError });
      listening.push(metricsListener);
      tell(`metrics on ${metricsListener.url}/metrics`);
    }
    opened.push(async () => {
      readiness.stop();
      admission.close();
      // Who follows the catalog would never be done; the others are, and are waited for.
      await feed.close();
    });
    const sentence = await retryWhileUnavailable(() => welcome(db, givenKey), signal);
    if (sentence !== undefined) tell(sentence);
    // The start itself has made a key: what is cached from now on stays.
    await retryWhileUnavailable(() => changes.refresh(), signal);
    // What is wrong from the start is in the log, though nobody asks.
    warming.push(prewarm(pool).then(async () => void (await readiness.problem())));
    return { url: listener.url, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}
