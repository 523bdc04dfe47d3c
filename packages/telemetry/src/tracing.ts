import type { RequestListener } from 'node:http';
import type { ObservedRequest } from './http-metrics.ts';

interface TracedOperation {
  readonly type: string;
  readonly name: string | undefined;
}

/** OpenTelemetry spans from the request down to its SQL. */
export interface Tracing {
  /** Wraps a listener: each request is a span, in the caller's trace if there is one. */
  requests(listener: RequestListener): RequestListener;
  requestCompleted(request: ObservedRequest): void;
  /** `fail` records the code of a failure of the service itself. */
  operation<Result>(
    operation: TracedOperation,
    run: (fail: (code: string) => void) => Promise<Result>,
  ): Promise<Result>;
  /** Outside of requests there is no span. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  traceId(): string | undefined;
  close(): Promise<void>;
}
