import express from 'express';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { admitKey, welcome } from './auth/bootstrap.ts';
import { createGuesses } from './auth/guesses.ts';
import { createLastUsed } from './auth/last-used.ts';
import { openTokens } from './auth/tokens.ts';
import { createKeptResults } from './cache/kept-results.ts';
import type { Config } from './config.ts';
import { openChanges } from './database/changes.ts';
import { startCleanUp } from './database/clean-up.ts';
import { openDatabase } from './database/client.ts';
import { openLanes } from './database/lanes.ts';
import { openOwnTransactions } from './database/own-transaction.ts';
import { patiently } from './database/patience.ts';
import { openPool, warm } from './database/pool.ts';
import { isPooled } from './database/pooler.ts';
import { openStore } from './database/store.ts';
import { schema } from './graphql/schema.ts';
import { readStoredOperations } from './graphql/stored-operations.ts';
import { createGate } from './http/gate.ts';
import { checkAddress, type Listener, listen } from './http/listener.ts';
import { openCatalogFeed } from './live/catalog-feed.ts';
import { watchEventLoop } from './operations/event-loop.ts';
import { createReadiness } from './operations/health.ts';
import { createMetrics } from './operations/metrics.ts';
import { createMetricsPage } from './operations/metrics-page.ts';
import { createRateLimit } from './operations/rate-limit.ts';
import { openTracing } from './operations/tracing.ts';
import { version } from './operations/version.ts';

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
    const stored = await readStoredOperations(config.GRAPHQL_STORED_OPERATIONS, schema);
    const store = await openStore(config, tell, signal);
    opened.push(() => store.close());
    signal?.throwIfAborted();
    const pool = openPool(store.url, { max: config.DATABASE_POOL_SIZE });
    const lanes = openLanes(store.url);
    opened.push(() => lanes.close());
    const watched = { ...(onStatement && { onStatement }), ...(tracing && { around: tracing.statement }) };
    const inOwnTransaction = openOwnTransactions({ pool, ...watched, prepares: !isPooled(store.url) });
    const db = openDatabase({ url: store.url, pool, lanes, ...watched });
    opened.push(() => db.$disconnect());
    // Whoever asks first finds them open; until then there is other work to do.
    const warming = [lanes.warm()];
    opened.push(async () => void (await Promise.all(warming)));
    const changes = await openChanges(store.directUrl, (message) => log.warn(message));
    opened.push(() => changes.close());
    const tokens = await openTokens({ ...config, warn: (message) => log.warn(message) });
    opened.push(async () => tokens.close());
    const lastUsed = createLastUsed(db);
    opened.push(() => lastUsed.close());
    const cleanUp = startCleanUp(db, log);
    opened.push(() => cleanUp.close());
    const guesses = createGuesses(config.AUTH_FAILURES_PER_MINUTE);
    const { authenticate, recognize } = createAuthenticate({ db, changes, tokens, guesses, lastUsed });
    if (givenKey !== undefined) await patiently(() => admitKey(db, givenKey), signal);
    const metrics = createMetrics(version, tracing?.answered);
    metrics.watchPool(pool);
    const kept = createKeptResults({ changes, bytesMost: config.KEPT_RESULTS_BYTES, count: metrics.kept });
    const readiness = createReadiness(db, log);
    const eventLoop = watchEventLoop();
    opened.push(async () => eventLoop.close());
    const gate = createGate({ lateMs: () => eventLoop.lateMs(), rejected: metrics.rejected });
    const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE);
    const feed = openCatalogFeed({ db, changes, log });
    opened.push(() => feed.close());
    metrics.watchFollowers(feed);
    const inside = {
      db,
      inOwnTransaction,
      changes,
      authenticate,
      recognize,
      kept,
      gate,
      rateLimit,
      stored,
      feed,
      tracing,
    };
    const { answer, messages } = createApp({ config, schema, ...inside, log, readiness, metrics });
    signal?.throwIfAborted();
    const listening: Listener[] = [];
    opened.push(async (noticeMs) => {
      await Promise.all(listening.map((listener) => listener.close(noticeMs)));
    });
    const onError = (err: Error): void => log.error({ err }, 'a connection could not be accepted');
    const listener = await listen(answer, HOST, PORT, { messages, onError });
    listening.push(listener);
    if (METRICS_PORT !== undefined) {
      const metricsPage = express().use(createMetricsPage(metrics));
      const metricsListener = await listen(metricsPage, HOST, METRICS_PORT, { onError });
      listening.push(metricsListener);
      tell(`metrics on ${metricsListener.url}/metrics`);
    }
    opened.push(async () => {
      readiness.stop();
      gate.close();
      // Who follows the catalog would never be done; the others are, and are waited for.
      await feed.close();
    });
    const sentence = await patiently(() => welcome(db, givenKey), signal);
    if (sentence !== undefined) tell(sentence);
    // The start itself has made a key: what is cached from now on stays.
    await patiently(() => changes.refresh(), signal);
    // What is wrong from the start is in the log, though nobody asks.
    warming.push(warm(pool).then(async () => void (await readiness.problem())));
    return { url: listener.url, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}
