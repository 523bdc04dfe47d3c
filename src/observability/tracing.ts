import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ObservedRequest } from './metrics.ts';

/** An operation of GraphQL, whichever surface asked for it. */
interface TracedOperation {
  /** `query`, `mutation` or `subscription`. */
  readonly type: string;
  /** The name that its document gives it, if any. */
  readonly name: string | undefined;
}

/** Follows requests from the door to their SQL, as spans of OpenTelemetry. */
export interface Tracing {
  /** The same listener; each request is a span, in the trace that its caller has begun if there is one. */
  requests(listener: RequestListener): RequestListener;
  /** Tells the span of the present request how it was answered. */
  requestCompleted(request: ObservedRequest): void;
  /** Runs an operation as a span; `fail` says by which code the service itself failed. */
  operation<Result>(
    operation: TracedOperation,
    run: (fail: (code: string) => void) => Promise<Result>,
  ): Promise<Result>;
  /** Runs a statement as a span of the present request; outside of requests it is no span. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  /** The trace that the present request belongs to. */
  traceId(): string | undefined;
  /** Sends what has not been sent, if that can be done soon. */
  close(): Promise<void>;
}

/**
 * Opens tracing when the operator has said where spans go. Else there is none, nothing of OpenTelemetry is loaded, and
 * whoever could tell it something has only to look whether it is there.
 */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT }: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { openSpans } = await import('./tracing-spans.ts');
  return openSpans(log);
}
