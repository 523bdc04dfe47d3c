import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '@service/errors';
import { logFailure } from '@service/graphql-server/errors';
import type { AdmissionControl } from '@service/http/admission';
import type { ByteBudget } from '@service/http/byte-budget';
import { sendError } from '@service/http/errors';
import { type Headers, securityHeaders } from '@service/http/headers';
import { type RawBody, setRawBody } from '@service/http/json-body';
import type { RateLimit } from '@service/http/rate-limit';
import { sendRepresentation } from '@service/http/representation';
import { clientClosedStatus, recordResponse, requestIdOf } from '@service/http/request';
import { createWriteBatch } from '@service/http/send';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Logger } from 'pino';
import type { AuthenticateCached } from '../accounts/authentication/authenticate.ts';
import { maskCredentials } from '../accounts/keys/api-key.ts';
import { accountOf, type Caller } from '../operations/caller.ts';
import { toServiceError } from '../operations/errors.ts';
import type { RequestState } from '../operations/request.ts';
import { type MatchPost, matchGet, readSizedBody } from './cacheable-graphql.ts';
import type { CacheableRequest, ReadResponse } from './cacheable-request.ts';
import { createRestMatcher, type ReadOptions } from './rest/read.ts';

interface FastPathOptions extends ReadOptions {
  readonly authenticateCached: AuthenticateCached;
  readonly privateHeaders: Headers;
  readonly matchPost: MatchPost;
  readonly stateOfRead: (response: ServerResponse, caller: Caller, id: string) => RequestState;
  readonly admission: Pick<AdmissionControl, 'tryAcquire'>;
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
 * Serves ordinary reads of a known caller before Express and Yoga see them, by the functions that these call: cache hits,
 * and what can be executed at once. It decides before it begins; every other request goes to `fallback` unchanged.
 */
export function createFastPath(options: FastPathOptions): RequestListener {
  const { authenticateCached, responseCache, metrics, log, tracing, rateLimit, slowClients, fallback } = options;
  const { admission, bodyLimitBytes: limitBytes } = options;
  const headers = [...securityHeaders, ...options.privateHeaders];
  const flatHeaders = headers.flat();
  const matchRest = createRestMatcher(options);
  const writeBatch = createWriteBatch();

  const match = (request: IncomingMessage): CacheableRequest | undefined => {
    const { method, url = '', headers } = request;
    if (isUnusual(request)) return undefined;
    if (method === 'POST') return options.matchPost(url, headers);
    if (method === 'GET') return matchRest(url) ?? matchGet(url, headers);
    return method === 'HEAD' ? matchRest(url) : undefined;
  };

  const callerOf = ({ headers }: IncomingMessage): Caller | undefined => {
    const apiKey = headers['x-api-key'];
    return Array.isArray(apiKey) ? undefined : authenticateCached(apiKey, headers.authorization);
  };

  const record = ({ request, matched, began, body }: Exchange, caller: Caller, requestId: string, status: number) =>
    recordResponse(metrics, log, maskCredentials, {
      headers: request.headers,
      route: matched.route,
      method: request.method ?? '',
      path: matched.path,
      status,
      operation: () => matched.operationIn(body),
      caller,
      began,
      ids: { requestId, trace_id: tracing?.traceId() },
    });

  const send = (exchange: Exchange, caller: Caller, id: string, { content, headers }: ReadResponse): void => {
    const { request, response, matched } = exchange;
    matched.note?.(response);
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    const common = ['X-Request-Id', id, ...flatHeaders];
    const status = sendRepresentation(request, response, content, { headers: common, format: matched.format });
    record(exchange, caller, id, status);
  };

  const sendFailure = (exchange: Exchange, state: RequestState, problem: unknown): void => {
    const { response, matched } = exchange;
    matched.note?.(response);
    const error = toServiceError(problem);
    metrics.failed(error.code);
    logFailure(state.log, error);
    response.setHeader('X-Request-Id', state.id);
    for (const [name, value] of headers) response.setHeader(name, value);
    sendError(response, error);
    record(exchange, state.caller, state.id, response.statusCode);
  };

  /** Executes a read that is not cached, if it finds a slot. */
  const execute = async (exchange: Exchange, state: RequestState, read: () => Promise<ReadResponse>): Promise<void> => {
    const { response } = exchange;
    let isExecuting = true;
    response.once('close', () => {
      if (isExecuting) record(exchange, state.caller, state.id, clientClosedStatus);
    });
    const release = state.holdSlot();
    const result = await read().catch((problem: unknown) => ({ problem }));
    isExecuting = false;
    release();
    if (response.destroyed) return;
    if ('problem' in result) sendFailure(exchange, state, result.problem);
    else send(exchange, state.caller, state.id, result);
  };

  /** Whether it responds: it knows the response, or finds a slot to read it at once. */
  const responds = (exchange: Exchange, caller: Caller): boolean => {
    const { request, response, matched, body } = exchange;
    const account = accountOf(caller);
    if (rateLimit.isExceeded(account)) return false;
    const key = matched.keyFor(caller, body);
    const content = responseCache.get(key);
    if (content !== undefined) {
      rateLimit.count(account, response);
      send(exchange, caller, idOf(request), { content });
      return true;
    }
    if (!admission.tryAcquire(response, account)) return false;
    const state = options.stateOfRead(response, caller, idOf(request));
    const read = matched.prepare(state, key, body);
    if (read === undefined) return false;
    rateLimit.count(account, response);
    void execute(exchange, state, read);
    return true;
  };

  const handle = (request: IncomingMessage, response: ServerResponse, began: number): void => {
    const matched = match(request);
    const early = matched && callerOf(request);
    if (matched === undefined || early === undefined) {
      fallback(request, response);
      return;
    }
    const respondTo = (body?: RawBody, waited = false): void => {
      if (body !== undefined) setRawBody(request, body);
      // The key may have been revoked while the body arrived.
      const caller = waited ? callerOf(request) : early;
      const exchange = { request, response, matched, began };
      const isServed =
        caller !== undefined && !(body instanceof ServiceError) && responds({ ...exchange, body }, caller);
      if (!isServed) fallback(request, response);
    };
    // A body that arrived with its headers can be read once the batch is written.
    writeBatch(() => {
      if (request.method === 'POST') readSizedBody(request, { limitBytes, slowClients }, respondTo);
      else respondTo();
    });
  };
  return (request, response) => handle(request, response, performance.now());
}

/** An ordinary read, with what is known of it until it is sent. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly matched: CacheableRequest;
  readonly body: Buffer | undefined;
  /** Time of arrival (`performance.now()`). */
  readonly began: number;
}

const idOf = ({ headers }: IncomingMessage): string => requestIdOf(headers, maskCredentials);

/** Rare forms of requests, for the application. */
function isUnusual({ method, headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined ||
    (method !== 'POST' && headers['content-length'] !== undefined)
  );
}
