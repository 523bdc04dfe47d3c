/** A completed request. All labels come from bounded sets: routes and methods that exist. */
export interface ObservedRequest {
  /** The route's pattern, such as `/v1/api/academics/programs/:id`; `other` for unknown paths. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Request counts and durations in Prometheus' text format. */
export interface HttpMetrics {
  add(request: ObservedRequest): void;
  read(): string;
}

/** From a cache hit's fraction of a millisecond to the longest that a request may take. */
const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counters of one method of one route. */
interface Counts {
  readonly statuses: Map<number, number>;
  /** Requests per bucket, not cumulative; the last bucket has no upper bound. */
  readonly within: number[];
  seconds: number;
}

/**
 * Creates the counters. prom-client looks counters up by objects of labels, which takes a quarter of the time of a cache
 * hit; here labels are written when the metrics are read.
 */
export function createHttpMetrics(): HttpMetrics {
  const routes = new Map<string, Map<string, Counts>>();

  const countsOf = (route: string, method: string): Counts => {
    const methods = routes.get(route) ?? new Map<string, Counts>();
    const known = methods.get(method);
    if (known !== undefined) return known;
    const counts = {
      statuses: new Map(),
      within: Array.from({ length: boundsSeconds.length + 1 }, () => 0),
      seconds: 0,
    };
    routes.set(route, methods.set(method, counts));
    return counts;
  };

  const all = (): [labels: string, counts: Counts][] =>
    [...routes].flatMap(([route, methods]) =>
      [...methods].map(([method, counts]): [string, Counts] => [`route="${route}",method="${method}"`, counts]),
    );

  return {
    add: ({ route, method, status, seconds }) => {
      const counts = countsOf(route, method);
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      const bucket = boundsSeconds.findIndex((bound) => seconds <= bound);
      const place = bucket < 0 ? boundsSeconds.length : bucket;
      counts.within[place] = (counts.within[place] ?? 0) + 1;
      counts.seconds += seconds;
    },
    read: () =>
      [
        '# HELP http_requests_total HTTP requests, by route, method and status.',
        '# TYPE http_requests_total counter',
        ...all().flatMap(([labels, { statuses }]) =>
          [...statuses].map(([status, count]) => `http_requests_total{${labels},status="${status}"} ${count}`),
        ),
        '# HELP http_request_duration_seconds Duration of HTTP requests, from the first header to the last byte of the response.',
        '# TYPE http_request_duration_seconds histogram',
        ...all().flatMap(([labels, counts]) => histogram('http_request_duration_seconds', labels, counts)),
        '',
      ].join('\n'),
  };
}

/** The lines of a histogram, with cumulative buckets. */
function histogram(name: string, labels: string, { within, seconds }: Counts): string[] {
  let count = 0;
  const buckets = within.map((here, place) => {
    count += here;
    return `${name}_bucket{${labels},le="${boundsSeconds[place] ?? '+Inf'}"} ${count}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${count}`];
}
