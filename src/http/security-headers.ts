import type { RequestHandler } from 'express';

/** Headers of every answer: nothing may guess a type, frame a page or learn where it was linked from. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
};

/** Headers of what a key unlocks: it is for its caller alone, and is asked for again each time. */
export const unlockedHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'x-api-key, authorization');
  next();
};
