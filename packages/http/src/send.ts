import type { ServerResponse } from 'node:http';
import type { ServiceError } from '@service/errors';
import { httpErrorOf } from './status.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Sends JSON; to a HEAD, Node sends the headers alone. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const content = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

export function sendError(response: ServerResponse, error: ServiceError, body: object = bodyOf(error)): void {
  const { status, headers } = httpErrorOf(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, body);
}

function bodyOf({ message, errors }: ServiceError): object {
  return { message, ...(errors && { errors }) };
}

/** Sends 404 for a path that no route has. */
export function sendPathNotFound(response: ServerResponse): void {
  sendJson(response, 404, { message: 'There is no such path.' });
}

/** The message of a 405. */
export function methodNotAllowed(method: string, allowed: string): string {
  return `${method} is not allowed here; use ${allowed}.`;
}

/** Sends 405 with the methods that the path allows (RFC 9110, 15.5.6). */
export function sendMethodNotAllowed(
  response: ServerResponse,
  method: string,
  allowed: string,
  body: object = { message: methodNotAllowed(method, allowed) },
): void {
  response.setHeader('Allow', allowed);
  sendJson(response, 405, body);
}
