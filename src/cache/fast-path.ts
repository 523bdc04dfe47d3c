import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AdmissionControl } from '@service/http/admission';
import type { ByteBudget } from '@service/http/byte-budget';
import { type Headers, securityHeaders } from '@service/http/headers';
import { type RawBody, setRawBody } from '@service/http/json-body';
import type { RateLimit } from '@service/http/rate-limit';
import { clientClosedStatus, recordResponse, requestIdOf } from '@service/http/request';
import { createWriteBatch, jsonType, matchesIfNoneMatch, type Representation } from '@service/http/send';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import { type AuthenticateCached, rateLimitNameOf } from '../accounts/authentication/authenticate.ts';
import type { Caller } from '../accounts/caller.ts';
import { maskCredentials } from '../accounts/keys/api-key.ts';
import type { RequestContext } from '../context.ts';
import { parseRead, type ReadEndpoint } from '../rest/read-handler.ts';
import { basePath, patternOf, routeOperationName } from '../rest/routes.ts';
import { type CacheableRequest, createPostMatcher, matchGet, readSizedBody } from './match-graphql.ts';
import { type Answer, type CacheMiss, type ResponseCache, setCacheMiss } from './response-cache.ts';

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
    { caller, key = '', body, answer }: Partial<Omit<Miss, 'body'>> & { readonly body?: RawBody | undefined },
  ): void => {
    if (body !== undefined) setRawBody(request, body);
    if (caller !== undefined) setCacheMiss(request, { caller, key, input: matched.input, answer });
    fallback(request, response);
  };

  const sendContent = (exchange: Exchange, { caller, body }: Miss, content: Representation): void => {
    const { request, response, matched, began } = exchange;
    rateLimit.count(rateLimitNameOf(caller), response);
    const requestId = requestIdOf(request.headers['x-request-id'], maskCredentials);
    const status = send(request, response, ['X-Request-Id', requestId, ...headers], matched, content);
    const { route, path } = matched;
    recordResponse(metrics, log, maskCredentials, {
      route,
      method: request.method ?? '',
      path,
      status,
      operation: () => matched.operationIn(body),
      caller,
      began,
      ids: { requestId, trace_id: tracing?.traceId() },
    });
  };

  /** Without a slot at once, or with an error, the application responds. */
  const execute = (exchange: Exchange, miss: Miss): void => {
    const { request, response, matched } = exchange;
    const { caller, key, body } = miss;
    const answer = admission.tryAcquire(response)
      ? matched.read(options.readContextOf(request, response, caller), key, body)
      : undefined;
    if (answer === undefined) {
      passOn(exchange, miss);
      return;
    }
    const release = admission.hold(response);
    const finish = ({ content }: Answer): void => {
      release();
      if (content === undefined || isExceededBy(caller)) passOn(exchange, { ...miss, answer });
      else sendContent(exchange, miss, content);
    };
    answer.then(finish, () => finish({}));
  };

  const isExceededBy = (caller: Caller): boolean => rateLimit.isExceeded(rateLimitNameOf(caller));

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
): number {
  if (response.destroyed) return clientClosedStatus;
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

/** Parsed URLs that are cached: some 5 MB at most. */
const addressesMax = 10_000;
/** Longer than any valid URL: made-up ones must not fill the memory. */
const addressLengthMax = 200;

const fields: Pick<CacheableRequest, 'headersFor' | 'notModifiedHeadersFor'> = {
  headersFor: ({ entityTag, link, bytes }) => {
    const headers = ['ETag', entityTag, 'Content-Type', jsonType, 'Content-Length', String(bytes)];
    if (link !== undefined) headers.push('Link', link);
    return headers;
  },
  notModifiedHeadersFor: ({ entityTag }) => ['ETag', entityTag],
};

/** Matches paths exactly as the routes spell them; Express handles other spellings and all rejections. */
function createRestMatcher(endpoints: readonly ReadEndpoint[]): (address: string) => CacheableRequest | undefined {
  const reads = new Map<string, ReadEndpoint>(endpoints.map((read) => [read.endpoint.path, read]));
  const parse = (address: string): CacheableRequest | undefined => {
    const { path, query } = partsOf(address);
    const below = path.slice(basePath.length);
    const found = reads.get(patternOf(below) ?? '');
    if (found === undefined) return undefined;
    const { endpoint, read } = found;
    try {
      const { input, keyFor } = parseRead(endpoint, { id: below.slice(below.lastIndexOf('/') + 1), query });
      return {
        route: basePath + endpoint.path,
        path,
        input,
        operationIn: () => routeOperationName(endpoint),
        keyFor,
        read: (context, key) => read(context, key, input),
        ...fields,
      };
    } catch {
      return undefined;
    }
  };

  const parsed = new Map<string, CacheableRequest>();
  return (address) => {
    if (!address.startsWith(basePath) || address.length > addressLengthMax) return undefined;
    const cached = parsed.get(address);
    if (cached !== undefined) return cached;
    const request = parse(address);
    // Cheaper than an LRU order for each request.
    if (parsed.size >= addressesMax) parsed.clear();
    if (request !== undefined) parsed.set(address, request);
    return request;
  };
}

function partsOf(address: string): { readonly path: string; readonly query: string } {
  const end = address.indexOf('?');
  return end < 0 ? { path: address, query: '' } : { path: address.slice(0, end), query: address.slice(end + 1) };
}
