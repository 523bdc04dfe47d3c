import type { RequestHandler } from 'express';

/** A request that takes longer than this is worth a line of its own. */
const slowMs = 1_000;

/** Writes a line for each request when it is done: failures, slow ones and writes at `info`, the others at `debug`. */
export const requestLog: RequestHandler = (request, response, next) => {
  const began = performance.now();
  const { method, path } = request;
  response.once('close', () => {
    const durationMs = Math.round(performance.now() - began);
    const { statusCode: status } = response;
    const remarkable = status >= 500 || status === 201 || durationMs > slowMs;
    request.log[remarkable ? 'info' : 'debug']({ method, path, status, durationMs }, 'request');
  });
  next();
};
