import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

export type Headers = readonly (readonly [name: string, value: string])[];

export const securityHeaders: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

interface CrossOrigin {
  /** The listed origins; `undefined` disables CORS. */
  readonly origins: readonly string[] | undefined;
  /** The request headers that carry credentials. */
  readonly credentialHeaders: readonly string[];
  /** The methods that any path allows. */
  readonly methods: readonly string[];
}

/** Private to the caller, and revalidated each time; with CORS, responses vary by origin. */
export function privateHeadersFor({ origins, credentialHeaders }: Omit<CrossOrigin, 'methods'>): Headers {
  return [
    ['Cache-Control', 'private, no-cache'],
    ['Vary', [...credentialHeaders, ...(origins === undefined ? [] : ['Origin'])].join(', ')],
  ];
}

/** Sets the same headers on every response. */
export function setHeaders(fields: Headers): RequestHandler {
  return (_request, response, next) => {
    for (const [name, value] of fields) response.setHeader(name, value);
    next();
  };
}

/** CORS (Fetch standard, 3.2), never with credentials: scripts send the key themselves, and no cookie counts for another origin. */
export interface Cors {
  setHeaders(request: IncomingMessage, response: ServerResponse): void;
  /** Responds to preflight requests, which cannot carry a key. */
  readonly preflight: RequestHandler;
}

/** Request headers that CORS allows beside credentials. */
const allowedHeaders = [
  ...['content-type', 'idempotency-key', 'if-none-match', 'last-event-id'],
  ...['x-request-id', 'traceparent', 'tracestate', 'baggage'],
];
const exposedHeaders = [
  ...['ETag', 'Location', 'Allow', 'WWW-Authenticate', 'X-Request-Id', 'Retry-After', 'Content-Disposition'],
  ...['RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed', 'X-Error-Code', 'X-Ignored', 'Link'],
].join(', ');
/** The longest that browsers cache a preflight. */
const maxAgeSeconds = 7_200;

export function createCors({ origins, credentialHeaders, methods }: CrossOrigin): Cors {
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
      // Browsers reject a response without these headers, and say that its origin is not allowed.
      if (listed.has(origin)) {
        response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
        response.setHeader('Access-Control-Allow-Headers', [...credentialHeaders, ...allowedHeaders].join(', '));
        response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
      }
      response.status(204).end();
    },
  };
}
