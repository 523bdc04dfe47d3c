import { setTimeout as delay } from 'node:timers/promises';
import { context, propagation, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { version } from './version.ts';

export interface SpanExport {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

const serviceName = 'academic-structure-service';
/** An unreachable collector must not delay the exit of the process. */
const flushWithinMs = 1_000;

/** Exports spans by OTLP (`http/protobuf`); OpenTelemetry reads `OTEL_EXPORTER_OTLP_*` and others by itself. */
export function openSpanExport(log: Logger): SpanExport {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = watched(new OTLPTraceExporter(), log);
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  return {
    tracer: provider.getTracer(serviceName, version),
    close: async () => {
      // A failed export is already logged.
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, delay(flushWithinMs, undefined, { ref: false })]);
      for (const part of [trace, context, propagation]) part.disable();
    },
  };
}

/** Logs once when the export fails and once when it works again; never the endpoint, which may hold a password. */
function watched(exporter: SpanExporter, log: Logger): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !failing) log.warn({ reason: reasonOf(error) }, 'traces cannot be exported');
        if (error === undefined && failing) log.info('traces are exported again');
        failing = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** The code of an error, such as `ECONNREFUSED` or an HTTP status; its message may hold an address. */
function reasonOf(error: Error): unknown {
  const code: unknown = Reflect.get(error, 'code');
  return code ?? error.name;
}
