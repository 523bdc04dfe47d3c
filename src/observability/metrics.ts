import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createHttpMetrics } from './http-metrics.ts';

/** One request that has been answered. All labels come from bounded sets: routes and methods that exist. */
export interface ObservedRequest {
  /** The route's pattern, such as `/v1/api/academics/programs/:id`; `other` for all that is none of ours. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** The state of the pool of database connections. */
interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What operators watch, in the form that Prometheus reads. */
export interface Metrics {
  requestCompleted(request: ObservedRequest): void;
  /** Counts a root field of GraphQL, asked for over either surface, the code of its error if it failed, and its time. */
  fieldResolved(field: string, code: string, seconds: number): void;
  /** Counts an answer that could have been kept: `hit` when it was. */
  cacheLookup(result: 'hit' | 'miss'): void;
  /** Counts a request that was turned away without being looked at. */
  rejected(reason: 'overloaded' | 'stopping'): void;
  /** Tells of the pool's state whenever someone looks. */
  observePool(pool: PoolState): void;
  /** Tells how many follow the catalog whenever someone looks. */
  observeSubscribers(feed: { subscribers(): number }): void;
  /** Everything, as text. */
  read(): Promise<{ readonly text: string; readonly contentType: string }>;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A method that is commonly used; what strangers make up is none. */
export function knownMethod(method: string): string | undefined {
  return methods.has(method) ? method : undefined;
}

/**
 * Makes the metrics of one service; nothing is shared with another in the same process.
 *
 * @param onRequest is told of each answer too.
 */
export function createMetrics(version: string, onRequest?: (request: ObservedRequest) => void): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = createHttpMetrics();
  const fields = new Counter({
    name: 'graphql_fields_total',
    help: 'Root fields that were resolved, for REST too, by the code of their error or ok.',
    labelNames: ['field', 'code'],
    registers,
  });
  const fieldDurations = new Histogram({
    name: 'graphql_field_duration_seconds',
    help: 'How long root fields took, for REST too, without what is selected below them.',
    labelNames: ['field'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const responseCache = { hit: 0, miss: 0 };
  const keptResults: Counter<'result'> = new Counter({
    name: 'kept_results_total',
    help: 'Answers that could have been kept, by whether they were.',
    labelNames: ['result'],
    registers,
    collect: () => {
      keptResults.reset();
      for (const result of ['hit', 'miss'] as const) keptResults.inc({ result }, responseCache[result]);
    },
  });
  const rejected = new Counter({
    name: 'http_requests_rejected_total',
    help: 'Requests that were answered 503 without being worked on, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['overloaded', 'stopping']) rejected.inc({ reason }, 0);
  new Gauge({ name: 'build_info', help: 'The version that runs.', labelNames: ['version', 'node'], registers }).set(
    { version, node: process.version },
    1,
  );
  return {
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
    observePool: (pool) => observePool(pool, registers),
    observeSubscribers: (feed) => observeSubscribers(feed, registers),
    read: async () => ({ text: requests.read() + (await registry.metrics()), contentType: registry.contentType }),
  };
}

function observePool(pool: PoolState, registers: Registry[]): void {
  const connections = new Gauge({
    name: 'database_pool_connections',
    help: 'Database connections by state, and the requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect: () => {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waited_for' }, pool.waitingCount);
    },
  });
}

function observeSubscribers(feed: { subscribers(): number }, registers: Registry[]): void {
  const followers: Gauge = new Gauge({
    name: 'graphql_subscriptions',
    help: 'Subscriptions that are open.',
    registers,
    collect: () => followers.set(feed.subscribers()),
  });
}
