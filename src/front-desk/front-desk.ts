import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Recognize } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeptResults } from '../cache/kept-results.ts';
import { alreadyHas, type Content } from '../http/content.ts';
import { noteBody } from '../http/json-body.ts';
import { createOutbox } from '../http/outbox.ts';
import { requestIdOf } from '../http/request-id.ts';
import { type Fields, securityFields } from '../http/security-headers.ts';
import type { Metrics } from '../operations/metrics.ts';
import { noteAnswer } from '../operations/observe.ts';
import type { RateLimit } from '../operations/rate-limit.ts';
import type { Tracing } from '../operations/tracing.ts';
import type { Asked } from './asked.ts';
import { askedByGet, askedByPost, readBody } from './graphql.ts';
import { createRestReader } from './rest.ts';

interface FrontDeskOptions {
  readonly schema: GraphQLSchema;
  readonly recognize: Recognize;
  readonly kept: KeptResults;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
  readonly bodyLimitBytes: number;
  /** Headers of what a key unlocks. */
  readonly unlockedFields: Fields;
  readonly rateLimit: RateLimit;
  /** The long way. */
  readonly handOn: RequestListener;
}

/**
 * Makes the front desk, which answers from what is kept before Express and Yoga see a request: a look at the headers,
 * a lookup, a write. It answers only what it knows for certain, and then as the long way would, byte for byte; all
 * else it hands on as it came.
 */
export function createFrontDesk(options: FrontDeskOptions): RequestListener {
  const { schema, recognize, kept, metrics, log, tracing, bodyLimitBytes, unlockedFields, rateLimit, handOn } = options;
  const everyAnswersFields = [...securityFields, ...unlockedFields].flat();
  const askedOfRest = createRestReader(schema);
  const outbox = createOutbox();

  const callerOf = ({ headers, socket }: IncomingMessage): Caller | undefined => {
    const apiKey = headers['x-api-key'];
    return Array.isArray(apiKey) ? undefined : recognize(socket, apiKey, headers.authorization);
  };

  const askedBy = (request: IncomingMessage): Asked | undefined => {
    const { method, url = '', headers } = request;
    if (isUnusual(request)) return undefined;
    if (method === 'POST') return askedByPost(url, headers, bodyLimitBytes);
    if (method === 'GET') return askedOfRest(url) ?? askedByGet(url, headers);
    return method === 'HEAD' ? askedOfRest(url) : undefined;
  };

  return (request, response) => {
    const began = performance.now();
    const asked = askedBy(request);
    const recognized = asked && callerOf(request);
    if (asked === undefined || recognized === undefined) {
      handOn(request, response);
      return;
    }
    const answer = (body?: Buffer, waited = false): void => {
      // While a body is on its way, its caller's key may be revoked.
      const caller = waited ? callerOf(request) : recognized;
      const content = caller && kept.find(asked.keyFor(caller, body));
      if (caller === undefined || content === undefined || rateLimit.isSpent(caller)) {
        if (body !== undefined) noteBody(request, body);
        handOn(request, response);
        return;
      }
      rateLimit.count(caller, response);
      const requestId = requestIdOf(request.headers['x-request-id']);
      const status = send(request, response, ['X-Request-Id', requestId, ...everyAnswersFields], asked, content);
      const { route, path } = asked;
      const requestLog = log.isLevelEnabled('debug') ? log.child({ requestId, trace_id: tracing?.traceId() }) : log;
      noteAnswer(metrics, requestLog, { route, method: request.method ?? '', path, status, began });
    };
    // By the time that answers are written, a body that came with its headers is there.
    outbox(() => (request.method === 'POST' ? readBody(request, answer) : answer()));
  };
}

/** Writes a kept answer, all at once, and returns its status. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  fields: readonly string[],
  asked: Asked,
  content: Content,
): 200 | 304 {
  const unchanged = asked.unchangedFieldsOf(content);
  if (unchanged !== undefined && alreadyHas(request.headers['if-none-match'], content)) {
    response.writeHead(304, [...fields, ...unchanged]).end();
    return 304;
  }
  response.writeHead(200, [...fields, ...asked.fieldsOf(content)]).end(content.body);
  return 200;
}

/** Forms that few clients use, and whose meaning is the long way's to know. */
function isUnusual({ method, headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined ||
    (method !== 'POST' && headers['content-length'] !== undefined)
  );
}
