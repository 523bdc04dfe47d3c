import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/** CORS (Fetch standard, 3.2), never with credentials: scripts send the key themselves, and there are no cookies. */
export interface Cors {
  setHeaders(request: IncomingMessage, response: ServerResponse): void;
  /** Responds to preflight requests, which cannot carry a key. */
  readonly preflight: RequestHandler;
}

const allowedMethods = 'GET, HEAD, POST';
const allowedHeaders = [
  ...['x-api-key', 'authorization', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id'],
  ...['x-request-id', 'traceparent', 'tracestate', 'baggage'],
].join(', ');
const exposedHeaders = [
  ...['ETag', 'Location', 'Allow', 'WWW-Authenticate', 'X-Request-Id', 'Retry-After', 'Content-Disposition'],
  ...['RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed'],
].join(', ');
/** The longest that browsers cache a preflight. */
const maxAgeSeconds = 7_200;

/** @param origins the listed origins; `undefined` disables CORS. */
export function createCors(origins: readonly string[] | undefined): Cors {
  if (origins === undefined) return { setHeaders: () => undefined, preflight: (_request, _response, next) => next() };
  const listed = new Set(origins);
  return {
    setHeaders: ({ headers: { origin } }, response) => {
      response.setHeader('Vary', 'Origin');
      if (origin === undefined || !listed.has(origin)) return;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    },
    preflight: ({ method, headers }, response, next) => {
      const { origin } = headers;
      if (method !== 'OPTIONS' || origin === undefined || headers['access-control-request-method'] === undefined) {
        next();
        return;
      }
      // Without these headers browsers reject it, and say that its origin is not allowed.
      if (listed.has(origin)) {
        response.setHeader('Access-Control-Allow-Methods', allowedMethods);
        response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
        response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
      }
      response.status(204).end();
    },
  };
}
