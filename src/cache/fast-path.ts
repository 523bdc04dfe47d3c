import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AdmissionControl } from '@service/http/admission';
import type { ByteBudget } from '@service/http/byte-budget';
import { type Headers, securityHeaders } from '@service/http/headers';
import { type RawBody, setRawBody } from '@service/http/json-body';
import type { RateLimit } from '@service/http/rate-limit';
import { matchesIfNoneMatch, type Representation } from '@service/http/representation';
import { clientClosedStatus, recordResponse, requestIdOf } from '@service/http/request';
import { createWriteBatch } from '@service/http/send';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import type { AuthenticateCached } from '../accounts/authentication/authenticate.ts';
import { accountOf, type Caller } from '../accounts/caller.ts';
import { maskCredentials } from '../accounts/keys/api-key.ts';
import type { RequestContext } from '../context.ts';
import type { ReadEndpoint } from '../rest/read-handler.ts';
import { type CacheableRequest, createPostMatcher, matchGet, readSizedBody } from './match-graphql.ts';
import { createRestMatcher } from './match-rest.ts';
import { type CacheMiss, type ReadResult, type ResponseCache, setCacheMiss } from './response-cache.ts';

interface FastPathOptions {
  readonly authenticateCached: AuthenticateCached;
  readonly responseCache: ResponseCache;
  readonly privateHeaders: Headers;
  readonly reads: readonly ReadEndpoint[];
  readonly readGraphql: CacheableRequest['read'];
  readonly readContextOf: (request: IncomingMessage, response: ServerResponse, caller: Caller) => RequestContext;
  readonly admission: Pick<AdmissionControl, 'tryAcquire' | 'hold'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
  readonly bodyLimitBytes: number;
  readonly rateLimit: RateLimit;
  readonly slowClients: ByteBudget;
  /** The application: Express, and Yoga behind it. */
  readonly fallback: RequestListener;
}

/**
 * Serves reads before Express and Yoga see a request, byte for byte as they would respond: cache hits, and what it can
 * execute without errors. Every other request goes to `fallback` unchanged, with the work done so far (`CacheMiss`).
 */
export function createFastPath(options: FastPathOptions): RequestListener {
  const { authenticateCached, responseCache, metrics, log, tracing, rateLimit, slowClients, fallback } = options;
  const { admission, bodyLimitBytes: limitBytes } = options;
  const headers = [...securityHeaders, ...options.privateHeaders].flat();
  const matchRest = createRestMatcher(options.reads);
  const matchPost = createPostMatcher(options.readGraphql, limitBytes);
  const writeBatch = createWriteBatch();

  const match = (request: IncomingMessage): CacheableRequest | undefined => {
    const { method, url = '', headers } = request;
    if (isUnusual(request)) return undefined;
    if (method === 'POST') return matchPost(url, headers);
    if (method === 'GET') return matchRest(url) ?? matchGet(url, headers);
    return method === 'HEAD' ? matchRest(url) : undefined;
  };

  const callerOf = ({ headers }: IncomingMessage): Caller | undefined => {
    const apiKey = headers['x-api-key'];
    return Array.isArray(apiKey) ? undefined : authenticateCached(apiKey, headers.authorization);
  };

  /** Passes a request on with its `CacheMiss`, so that nothing is parsed, checked or executed twice. */
  const passOn = (
    { request, response, matched }: Exchange,
    { caller, key = '', body, readResult }: Partial<Omit<Miss, 'body'>> & { readonly body?: RawBody | undefined },
  ): void => {
    if (body !== undefined) setRawBody(request, body);
    if (caller !== undefined) setCacheMiss(request, { caller, key, input: matched.input, readResult });
    fallback(request, response);
  };

  const record = ({ request, matched, began }: Exchange, { caller, body }: Miss, requestId: string, status: number) =>
    recordResponse(metrics, log, maskCredentials, {
      route: matched.route,
      method: request.method ?? '',
      path: matched.path,
      status,
      operation: () => matched.operationIn(body),
      caller,
      began,
      ids: { requestId, trace_id: tracing?.traceId() },
    });

  const idOf = ({ request }: Exchange): string => requestIdOf(request.headers['x-request-id'], maskCredentials);

  const sendContent = (exchange: Exchange, miss: Miss, content: Representation): void => {
    const { request, response, matched } = exchange;
    rateLimit.count(accountOf(miss.caller), response);
    const requestId = idOf(exchange);
    const status = send(request, response, ['X-Request-Id', requestId, ...headers], matched, content);
    record(exchange, miss, requestId, status);
  };

  /** Without a slot at once, or with an error, the application responds. */
  const execute = (exchange: Exchange, miss: Miss): void => {
    const { request, response, matched } = exchange;
    const { caller, key, body } = miss;
    const readResult = admission.tryAcquire(response)
      ? matched.read(options.readContextOf(request, response, caller), key, body)
      : undefined;
    if (readResult === undefined) {
      passOn(exchange, miss);
      return;
    }
    let isExecuting = true;
    response.once('close', () => {
      if (isExecuting) record(exchange, miss, idOf(exchange), clientClosedStatus);
    });
    const release = admission.hold(response);
    const finish = ({ content }: ReadResult): void => {
      isExecuting = false;
      release();
      if (content === undefined || isExceededBy(caller)) passOn(exchange, { ...miss, readResult });
      else if (!response.destroyed) sendContent(exchange, miss, content);
    };
    readResult.then(finish, () => finish({}));
  };

  const isExceededBy = (caller: Caller): boolean => rateLimit.isExceeded(accountOf(caller));

  const respond = (exchange: Exchange, caller: Caller | undefined, body?: Buffer): void => {
    if (caller === undefined) {
      passOn(exchange, { body });
      return;
    }
    const miss = { caller, key: exchange.matched.keyFor(caller, body), body };
    const content = responseCache.get(miss.key);
    if (isExceededBy(caller)) passOn(exchange, miss);
    else if (content !== undefined) sendContent(exchange, miss, content);
    else execute(exchange, miss);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, began: number): void => {
    const matched = match(request);
    const early = matched && callerOf(request);
    if (matched === undefined || early === undefined) {
      fallback(request, response);
      return;
    }
    const exchange: Exchange = { request, response, matched, began };
    // The key may be revoked while the body arrives.
    const respondTo = (body?: RawBody, waited = false): void => {
      if (body === undefined || Buffer.isBuffer(body)) respond(exchange, waited ? callerOf(request) : early, body);
      else passOn(exchange, { body });
    };
    // After the batch is written, a body that arrived with its headers can be read.
    writeBatch(() =>
      request.method === 'POST' ? readSizedBody(request, { limitBytes, slowClients }, respondTo) : respondTo(),
    );
  };
  return (request, response) => handle(request, response, performance.now());
}

interface Miss extends Omit<CacheMiss, 'input'> {
  readonly body: Buffer | undefined;
}

/** A request that may be a cache hit. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly matched: CacheableRequest;
  /** By `performance.now()`. */
  readonly began: number;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
  matched: CacheableRequest,
  content: Representation,
): 200 | 304 {
  const notModifiedHeaders = matched.notModifiedHeadersFor(content);
  if (notModifiedHeaders !== undefined && matchesIfNoneMatch(request.headers['if-none-match'], content)) {
    response.writeHead(304, [...headers, ...notModifiedHeaders]).end();
    return 304;
  }
  response.writeHead(200, [...headers, ...matched.headersFor(content)]).end(content.body);
  return 200;
}

/** Rare forms of requests, for the application. */
function isUnusual({ method, headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined ||
    (method !== 'POST' && headers['content-length'] !== undefined)
  );
}
