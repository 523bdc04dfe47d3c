import type { RequestHandler } from 'express';

export type Headers = readonly (readonly [name: string, value: string])[];

/** Headers of every answer: nothing may guess a type, frame a page or learn where it was linked from. */
export const securityHeaders: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

/**
 * Headers of what a key unlocks: it is for its caller alone, and is asked for again each time.
 *
 * @param crossOrigin whether pages of other origins may ask: then answers differ by who does.
 */
export function privateHeadersFor(crossOrigin: boolean): Headers {
  return [
    ['Cache-Control', 'private, no-cache'],
    ['Vary', `x-api-key, authorization${crossOrigin ? ', Origin' : ''}`],
  ];
}

/** Sets headers of every answer that comes by. */
export function setHeaders(fields: Headers): RequestHandler {
  return (_request, response, next) => {
    for (const [name, value] of fields) response.setHeader(name, value);
    next();
  };
}
