import type { RequestListener } from 'node:http';
import type { ObservedRequest } from './http-metrics.ts';

/** A GraphQL operation, over either surface. */
interface TracedOperation {
  /** `query`, `mutation` or `subscription`. */
  readonly type: string;
  /** The operation's name in its document. */
  readonly name: string | undefined;
}

/** OpenTelemetry spans from the request down to its SQL. */
export interface Tracing {
  /** Wraps a listener: each request is a span, in the caller's trace if there is one. */
  requests(listener: RequestListener): RequestListener;
  /** Sets the response's attributes on the current request's span. */
  requestCompleted(request: ObservedRequest): void;
  /** Runs an operation inside a span; `fail` records the code of a failure of the service itself. */
  operation<Result>(
    operation: TracedOperation,
    run: (fail: (code: string) => void) => Promise<Result>,
  ): Promise<Result>;
  /** Runs a statement inside a span of the current request; outside of requests there is no span. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  /** The id of the current trace. */
  traceId(): string | undefined;
  /** Flushes pending spans, within a short timeout. */
  close(): Promise<void>;
}
