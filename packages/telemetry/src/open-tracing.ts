import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { knownMethod } from './metrics.ts';
import type { Tracing } from './tracing.ts';
import { type Mask, maskForRequest } from './untrusted-text.ts';

interface TracingOptions {
  readonly name: string;
  readonly version: string;
  readonly log: Logger;
  /** Removes credentials from texts of callers. */
  readonly mask: Mask;
}

/** An unreachable collector must not delay the exit of the process. */
const flushWithinMs = 1_000;
const statementCharactersMax = 4_000;
const nameCharactersMax = 200;

/**
 * Spans by OpenTelemetry's semantic conventions; of a caller's input only the path and the operation's name. Exported by
 * OTLP. Import this module when tracing is on: it loads OpenTelemetry's SDK.
 */
export function openTracing(options: TracingOptions): Tracing {
  const { tracer, close } = openSpanExport(options);
  /** By the spans of requests. */
  const masks = new WeakMap<Span, Mask>();
  return {
    close,
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    requests: (listener) => (request, response) => {
      const outside = propagation.extract(ROOT_CONTEXT, request.headers);
      const span = startRequest(tracer, request, options.mask, outside);
      masks.set(span, maskForRequest(options.mask, request.headers));
      const inside = trace.setSpan(outside, span);
      // Node's callbacks run in the connection's context, which other requests share.
      context.bind(inside, request);
      context.bind(inside, response);
      // Ends the span after all other listeners, which report the response.
      response.once('close', () => process.nextTick(() => span.end()));
      context.with(inside, listener, undefined, request, response);
    },
    requestCompleted: ({ route, method, status }) => {
      const span = trace.getActiveSpan();
      if (span === undefined) return;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) fail(span, String(status));
      if (route === 'other') return;
      span.setAttribute('http.route', route);
      span.updateName(`${shownMethod(method)} ${route}`);
    },
    operation: ({ type, name }, run) => {
      const attributes: Attributes = { 'graphql.operation.type': type };
      const request = trace.getActiveSpan();
      const mask = (request && masks.get(request)) ?? options.mask;
      if (name !== undefined) attributes['graphql.operation.name'] = mask(name).slice(0, nameCharactersMax);
      const span = tracer.startSpan(type, { kind: SpanKind.INTERNAL, attributes });
      return within(span, () => run((code) => fail(span, code)));
    },
    statement: (sql, run) => {
      // Background work, and work that outlives its request, belongs to no span.
      if (trace.getActiveSpan()?.isRecording() !== true) return run();
      const summary = summaryOf(sql);
      const attributes = {
        'db.system.name': 'postgresql',
        'db.query.summary': summary,
        'db.query.text': sql.slice(0, statementCharactersMax),
      };
      return within(tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }), run);
    },
  };
}

function startRequest(
  tracer: Tracer,
  { method = '', url = '', httpVersion, headers }: IncomingMessage,
  mask: Mask,
  outside = ROOT_CONTEXT,
): Span {
  const shown = shownMethod(method);
  const attributes = {
    'http.request.method': shown === 'HTTP' ? '_OTHER' : shown,
    'url.scheme': 'http',
    'url.path': maskForRequest(mask, headers)(url.split('?', 1).join('')),
    'network.protocol.version': httpVersion,
  };
  return tracer.startSpan(shown, { kind: SpanKind.SERVER, attributes }, outside);
}

async function within<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(context.active(), span), run);
  } catch (problem) {
    fail(span, problem instanceof Error ? problem.name : 'Error');
    throw problem;
  } finally {
    span.end();
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function shownMethod(method: string): string {
  return knownMethod(method) ?? 'HTTP';
}

/** A summary such as `SELECT orders`; a statement that writes may also read. */
function summaryOf(sql: string): string {
  const tables = sql.replace(partOfInstant, '(');
  const [, clause = sql, table] = written.exec(tables) ?? read.exec(tables) ?? [];
  const [verb = 'SQL'] = /\w+/.exec(clause) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

const written = /\b(INSERT INTO|DELETE FROM|(?<!FOR |KEY |DO )UPDATE)\s+(?:"?public"?\.)?"?(\w+)/;
/** The FROM of `extract(epoch FROM …)` names no table. */
const partOfInstant = /\bextract\(\w+ FROM /gi;
/** Set-returning functions are not tables. */
const read = /\b(SELECT)\b.*?\bFROM\s+(?:"?public"?\.)?"?(\w+)\b(?!\(| FROM)/s;

interface SpanExport {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

/** Exports spans by OTLP (`http/protobuf`); OpenTelemetry reads `OTEL_EXPORTER_OTLP_*` and others by itself. */
function openSpanExport({ name, version, log }: TracingOptions): SpanExport {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': name, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = watched(new OTLPTraceExporter(), log);
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  return {
    tracer: provider.getTracer(name, version),
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
