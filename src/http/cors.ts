import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/**
 * Lets pages of other origins ask, if they are listed (Fetch standard, 3.2). Credentials are never allowed: a key is
 * sent by the page's own script, and there are no cookies.
 */
export interface Cors {
  /** Says in an answer's headers whether the page that asked may read it. */
  mark(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what a browser asks before it lets a page ask; no key is needed for that, and none could be sent. */
  readonly preflight: RequestHandler;
}

const allowedMethods = 'GET, HEAD, POST';
/** All that the service reads and browsers ask for, those of W3C Trace Context and Baggage among them. */
const allowedHeaders = [
  ...['x-api-key', 'authorization', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id'],
  ...['x-request-id', 'traceparent', 'tracestate', 'baggage'],
].join(', ');
/** What a page may read of a response beyond its body and what every page may read, such as `Content-Type`. */
const exposedHeaders = [
  ...['ETag', 'Location', 'Allow', 'WWW-Authenticate', 'X-Request-Id', 'Retry-After'],
  ...['RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed'],
].join(', ');
/** Browsers ask again after this long; none remembers it for longer. */
const rememberedSeconds = 7_200;

/** @param origins those that are listed; without any, nothing is said and nothing answered. */
export function createCors(origins: readonly string[] | undefined): Cors {
  if (origins === undefined) return { mark: () => undefined, preflight: (_request, _response, next) => next() };
  const listed = new Set(origins);
  return {
    mark: ({ headers: { origin } }, response) => {
      response.setHeader('Vary', 'Origin');
      if (origin === undefined || !listed.has(origin)) return;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    },
    preflight: ({ method, headers }, response, next) => {
      const { origin } = headers;
      const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (!asks || origin === undefined || !listed.has(origin)) {
        next();
        return;
      }
      response.setHeader('Access-Control-Allow-Methods', allowedMethods);
      response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
      response.setHeader('Access-Control-Max-Age', rememberedSeconds);
      response.status(204).end();
    },
  };
}
