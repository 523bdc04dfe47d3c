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

/** Statements and names that callers make up are cut here. */
const statementCharactersMax = 4_000;
const nameCharactersMax = 200;

/**
 * Makes the spans of requests, operations and statements, with the attributes of OpenTelemetry's semantic conventions.
 * None holds a value that a caller has sent, beside the path and the operation's name.
 */
export function openSpans(log: Logger): Tracing {
  const { tracer, close } = openSpanExport(log);
  return {
    close,
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    requests: (listener) => (request, response) => {
      const outside = propagation.extract(ROOT_CONTEXT, request.headers);
      const span = startRequest(tracer, request, outside);
      const inside = trace.setSpan(outside, span);
      // Node calls back from the connection, which may carry the requests of many.
      context.bind(inside, request);
      context.bind(inside, response);
      // When all have heard of it, and told how it was answered.
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
      // What goes on beside requests, and what one has set off and outlives it, is not part of any.
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

/** Runs as a span, which ends with it. */
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

/** What a statement does and to what, such as `SELECT programs`; one that writes may read on the way. */
function summaryOf(sql: string): string {
  const tables = sql.replace(partOfInstant, '(');
  const [, clause = sql, table] = written.exec(tables) ?? read.exec(tables) ?? [];
  const [verb = 'SQL'] = /\w+/.exec(clause) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

const written = /\b(INSERT INTO|DELETE FROM|(?<!FOR |KEY |DO )UPDATE)\s+(?:"?public"?\.)?"?(\w+)/;
/** The FROM of `extract(epoch FROM …)` names no table. */
const partOfInstant = /\bextract\(\w+ FROM /gi;
/** What functions make up is no table. */
const read = /\b(SELECT)\b.*?\bFROM\s+(?:"?public"?\.)?"?(\w+)\b(?!\(| FROM)/s;
