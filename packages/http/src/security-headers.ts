import type { RequestHandler } from 'express';

export type Headers = readonly (readonly [name: string, value: string])[];

export const securityHeaders: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

/** Private to the caller, and revalidated each time; with CORS, responses vary by origin. */
export function privateHeadersFor(crossOrigin: boolean): Headers {
  return [
    ['Cache-Control', 'private, no-cache'],
    ['Vary', `x-api-key, authorization${crossOrigin ? ', Origin' : ''}`],
  ];
}

export function setHeaders(fields: Headers): RequestHandler {
  return (_request, response, next) => {
    for (const [name, value] of fields) response.setHeader(name, value);
    next();
  };
}
