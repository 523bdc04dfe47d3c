import type { IncomingMessage } from 'node:http';
import type { Span, Tracer } from '@opentelemetry/api';
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Logger } from 'pino';
import { knownMethod } from './metrics.ts';
import type { Tracing } from './tracing.ts';
import { openSpanExport } from './tracing-export.ts';

const statementCharactersMax = 4_000;
const nameCharactersMax = 200;

/** Spans by OpenTelemetry's semantic conventions; of a caller's input only the path and the operation's name. */
export function openSpans(log: Logger): Tracing {
  const { tracer, close } = openSpanExport(log);
  return {
    close,
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    requests: (listener) => (request, response) => {
      const outside = propagation.extract(ROOT_CONTEXT, request.headers);
      const span = startRequest(tracer, request, outside);
      const inside = trace.setSpan(outside, span);
      // Node's callbacks run in the connection's context, which other requests share.
      context.bind(inside, request);
      context.bind(inside, response);
      // After all other listeners, which report the response.
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
      if (name !== undefined) attributes['graphql.operation.name'] = name.slice(0, nameCharactersMax);
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
  { method = '', url = '', httpVersion }: IncomingMessage,
  outside = ROOT_CONTEXT,
): Span {
  const shown = shownMethod(method);
  const attributes = {
    'http.request.method': shown === 'HTTP' ? '_OTHER' : shown,
    'url.scheme': 'http',
    'url.path': url.split('?', 1).join(''),
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

/** A summary such as `SELECT programs`; a statement that writes may also read. */
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
