import type { ServerResponse } from 'node:http';
import type { ServiceError } from '../errors.ts';
import { httpErrorOf } from './status.ts';

/** The media type of JSON, as all answers have it. */
export const jsonType = 'application/json; charset=utf-8';

/** Writes JSON and ends the answer; to a HEAD, Node sends the headers alone. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const content = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

/** Answers with an error as REST shows it: its message, and the problems by field when it is about input (`service.md` 7). */
export function sendError(response: ServerResponse, error: ServiceError): void {
  const { status, headers } = httpErrorOf(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, { message: error.message, ...(error.errors && { errors: error.errors }) });
}

/** Answers 405 to a method that a path does not know, and names those that it does (RFC 9110, 15.5.6). */
export function sendMethodNotAllowed(response: ServerResponse, allowed: string, body: unknown): void {
  response.setHeader('Allow', allowed);
  sendJson(response, 405, body);
}
