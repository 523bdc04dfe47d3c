import { createSingleFlight } from '@service/single-flight';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createHttpMetrics, type ObservedRequest } from './http-metrics.ts';

interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

interface MetricsText {
  readonly text: string;
  readonly contentType: string;
}

export interface Metrics {
  /** Registers of further metrics of the service. */
  readonly registers: Registry[];
  requestCompleted(request: ObservedRequest): void;
  /** A root field of GraphQL, over either surface, with the code of its error or `ok`. */
  fieldResolved(field: string, code: string, seconds: number): void;
  cacheLookup(result: 'hit' | 'miss'): void;
  /** A request that was rejected without being read. */
  rejected(reason: 'overloaded' | 'stopping'): void;
  credentialRejected(reason: string): void;
  /** A 429: of a caller, or of an address that sends invalid credentials. */
  rateLimited(reason: 'caller' | 'invalid credentials'): void;
  failed(code: string): void;
  /** A request with parameters or fields that have no effect. */
  inputIgnored(operation: string): void;
  observePool(pool: PoolState): void;
  observeSubscribers(feed: { subscribers(): number }): void;
  /** Scrapes at the same time share one. */
  read(): Promise<MetricsText>;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** `undefined` for unknown methods, so that labels stay bounded. */
export function knownMethod(method: string): string | undefined {
  return methods.has(method) ? method : undefined;
}

let ofProcess: Registry | undefined;

/** Metrics of the process, which its services share: prom-client's timer and observer for them cannot be ended. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

interface MetricsOptions {
  readonly version: string;
  /** Why credentials are usually rejected: reported as 0 before the first. */
  readonly credentialReasons: readonly string[];
  readonly onRequest?: ((request: ObservedRequest) => void) | undefined;
}

/** Creates the metrics of one service; those of the process belong to all its services. */
export function createMetrics({ version, credentialReasons, onRequest }: MetricsOptions): Metrics {
  const registry = new Registry();
  const share = createSingleFlight<MetricsText>();
  const registers = [registry];
  const defaults = processMetrics();
  const requests = createHttpMetrics(registers);
  const fields = new Counter({
    name: 'graphql_fields_total',
    help: 'Root fields resolved, over GraphQL and REST, by error code or ok.',
    labelNames: ['field', 'code'],
    registers,
  });
  const fieldDurations = new Histogram({
    name: 'graphql_field_duration_seconds',
    help: 'Duration of root fields, over GraphQL and REST, without their selections.',
    labelNames: ['field'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const responseCache = { hit: 0, miss: 0 };
  const cacheLookups: Counter<'result'> = new Counter({
    name: 'response_cache_lookups_total',
    help: 'Response cache lookups, by result.',
    labelNames: ['result'],
    registers,
    collect: () => {
      cacheLookups.reset();
      for (const result of ['hit', 'miss'] as const) cacheLookups.inc({ result }, responseCache[result]);
    },
  });
  const rejected = new Counter({
    name: 'http_requests_rejected_total',
    help: 'Requests rejected with 503 before they were executed, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['overloaded', 'stopping']) rejected.inc({ reason }, 0);
  const credentials = new Counter({
    name: 'rejected_credentials_total',
    help: 'Requests without a valid credential, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of credentialReasons) credentials.inc({ reason }, 0);
  const limited = new Counter({
    name: 'rate_limited_requests_total',
    help: 'Requests rejected with 429, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['caller', 'invalid credentials']) limited.inc({ reason }, 0);
  const errors = new Counter({
    name: 'errors_total',
    help: 'Requests that ended with an error, or whose response of GraphQL has one, by its code.',
    labelNames: ['code'],
    registers,
  });
  for (const code of ['INTERNAL_SERVER_ERROR', 'UNAVAILABLE']) errors.inc({ code }, 0);
  const ignored = new Counter({
    name: 'requests_with_ignored_input_total',
    help: 'Requests with parameters or fields that have no effect, by operation.',
    labelNames: ['operation'],
    registers,
  });
  new Gauge({
    name: 'build_info',
    help: 'Version of the service and of Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  return {
    registers,
    requestCompleted: (request) => {
      const { route, method, status, seconds } = request;
      const known = knownMethod(method) ?? 'other';
      requests.add({ route, method: known, status, seconds });
      onRequest?.(request);
    },
    fieldResolved: (field, code, seconds) => {
      fields.inc({ field, code });
      fieldDurations.observe({ field }, seconds);
    },
    cacheLookup: (result) => {
      responseCache[result] += 1;
    },
    rejected: (reason) => rejected.inc({ reason }),
    credentialRejected: (reason) => credentials.inc({ reason }),
    rateLimited: (reason) => limited.inc({ reason }),
    failed: (code) => errors.inc({ code }),
    inputIgnored: (operation) => ignored.inc({ operation }),
    observePool: (pool) => observePool(pool, registers),
    observeSubscribers: (feed) => observeSubscribers(feed, registers),
    read: () =>
      share('', async () => ({
        text: await Registry.merge([defaults, registry]).metrics(),
        contentType: registry.contentType,
      })),
  };
}

function observePool(pool: PoolState, registers: Registry[]): void {
  const connections = new Gauge({
    name: 'database_pool_connections',
    help: 'Database connections, by state.',
    labelNames: ['state'],
    registers,
    collect: () => {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
    },
  });
  const pending: Gauge = new Gauge({
    name: 'database_pool_pending_requests',
    help: 'Requests waiting for a database connection.',
    registers,
    collect: () => pending.set(pool.waitingCount),
  });
}

function observeSubscribers(feed: { subscribers(): number }, registers: Registry[]): void {
  const subscribers: Gauge = new Gauge({
    name: 'graphql_active_subscriptions',
    help: 'Open GraphQL subscriptions.',
    registers,
    collect: () => subscribers.set(feed.subscribers()),
  });
}
