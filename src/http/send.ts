import type { ServerResponse } from 'node:http';
import type { ServiceError } from '../errors.ts';
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

/** Sends 405 with the methods that the path allows (RFC 9110, 15.5.6). */
export function sendMethodNotAllowed(response: ServerResponse, allowed: string, body: unknown): void {
  response.setHeader('Allow', allowed);
  sendJson(response, 405, body);
}
