import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '@service/errors';
import { listProblems, messagesOf } from '@service/errors/problems';
import type { RequestHandler } from 'express';
import { sendJson } from './send.ts';

const statusOfCode: Readonly<Record<ErrorCode, number>> = {
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 400,
  CONFLICT: 409,
  RESPONSE_TOO_LARGE: 422,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
  BAD_USER_INPUT: 400,
};

interface HttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function httpErrorOf({ code, status, challenge, retryAfterSeconds }: ServiceError): HttpError {
  return {
    status: status ?? statusOfCode[code],
    headers: {
      ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
  };
}

/** The header with the code of an error; the body has none, as the specification of REST says. */
export const errorCodeHeader = 'X-Error-Code';

/** Sends an error with its status, its headers and its code in `X-Error-Code`. */
export function sendError(response: ServerResponse, error: ServiceError, body: object = bodyOf(error)): void {
  const { status, headers } = httpErrorOf(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader(errorCodeHeader, error.code);
  sendJson(response, status, body);
}

function bodyOf({ message, errors }: ServiceError): object {
  return { message, ...(errors && { errors: messagesOf(errors) }) };
}

/** Sends an error with what its messages say for software, too. */
export function sendErrorWithRules(response: ServerResponse, error: ServiceError): void {
  const { rule, details, errors } = error;
  sendError(response, error, { ...bodyOf(error), rule, details, problems: listProblems(errors) });
}

/** Sends 404 for a path that no route has. */
export function sendPathNotFound(response: ServerResponse): void {
  sendError(response, new ServiceError('NOT_FOUND', 'There is no such path.'));
}

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
  response.setHeader(errorCodeHeader, 'BAD_USER_INPUT' satisfies ErrorCode);
  sendJson(response, 405, body);
}

const readMethods = ['GET', 'HEAD'];
const allowed = readMethods.join(', ');

/** GET or HEAD. */
export const isRead = ({ method = '' }: Pick<IncomingMessage, 'method'>): boolean => readMethods.includes(method);

/** Rejects other methods: use it with `all` after the `get` of a path, since Express itself would respond to OPTIONS. */
export const rejectOtherMethods: RequestHandler = (request, response, next) => {
  if (isRead(request)) next();
  else sendMethodNotAllowed(response, request.method, allowed);
};
