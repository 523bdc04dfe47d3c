import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '@service/errors';
import type { RequestHandler } from 'express';

export const jsonType = 'application/json; charset=utf-8';

const statusOfCode: Readonly<Record<ErrorCode, number>> = {
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 400,
  CONFLICT: 409,
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

/** Sends JSON; to a HEAD, Node sends the headers alone. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const content = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

/** The header with the code of an error; the body has none, as the specification of REST says. */
export const errorCodeHeader = 'X-Error-Code';

export function sendError(response: ServerResponse, error: ServiceError, body: object = bodyOf(error)): void {
  const { status, headers } = httpErrorOf(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader(errorCodeHeader, error.code);
  sendJson(response, status, body);
}

function bodyOf({ message, errors }: ServiceError): object {
  return { message, ...(errors && { errors }) };
}

/** Sends 404 for a path that no route has. */
export function sendPathNotFound(response: ServerResponse): void {
  sendError(response, new ServiceError('NOT_FOUND', 'There is no such path.'));
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
  response.setHeader(errorCodeHeader, 'BAD_USER_INPUT' satisfies ErrorCode);
  sendJson(response, 405, body);
}

const readMethods = ['GET', 'HEAD'];
const allowed = readMethods.join(', ');

export const isRead = ({ method = '' }: Pick<IncomingMessage, 'method'>): boolean => readMethods.includes(method);

/** For `all`, after the `get` of a path: Express by itself would respond to OPTIONS, and know no path for the others. */
export const rejectOtherMethods: RequestHandler = (request, response, next) => {
  if (isRead(request)) next();
  else sendMethodNotAllowed(response, request.method, allowed);
};

/** Calls back once a response is sent or its client is gone; at once when it is already closed, so nothing leaks. */
export function whenClosed(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release();
  else response.once('close', release);
}

export interface Representation {
  readonly text: string;
  readonly body: string | Buffer;
  readonly bytes: number;
  /** Strong entity tag, a hash of the body (RFC 9110, 8.8.3). */
  readonly entityTag: string;
  /** Of a page: the addresses of others (RFC 8288). */
  readonly link: string | undefined;
}

/** Longer text is encoded once instead of at each send; shorter text is written together with the headers. */
const shortMax = 4_096;

/** Creates a representation. The entity tag is computed on first use: many responses need none. */
export function representationOf(text: string, link?: string): Representation {
  const bytes = Buffer.byteLength(text);
  return makeRepresentation(bytes > shortMax ? Buffer.from(text) : text, bytes, link);
}

function makeRepresentation(body: string | Buffer, bytes: number, link: string | undefined): Representation {
  let entityTag: string | undefined;
  return {
    body,
    bytes,
    link,
    get text() {
      return body.toString();
    },
    get entityTag() {
      entityTag ??= `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
      return entityTag;
    },
  };
}

/** Compares weakly (RFC 9110 13.1.2), whatever the request's `Cache-Control`, which addresses caches. */
export function matchesIfNoneMatch(
  ifNoneMatch: string | undefined,
  { entityTag }: Pick<Representation, 'entityTag'>,
): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === entityTag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/** Responds to a read: 200 with its entity tag, or 304 when `If-None-Match` matches. */
export function sendRepresentation(request: IncomingMessage, response: ServerResponse, content: Representation): void {
  response.setHeader('ETag', content.entityTag);
  if (matchesIfNoneMatch(request.headers['if-none-match'], content)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', content.bytes);
  if (content.link !== undefined) response.setHeader('Link', content.link);
  response.end(content.body);
}

export type WriteBatch = (write: () => void) => void;

/** Bounds how long the first write of a batch waits. */
const batchMax = 64;

/** Writes the responses of one turn of the event loop together: one by one, each wakes its client, which is costly. */
export function createWriteBatch(): WriteBatch {
  let ready: (() => void)[] = [];
  const flush = (): void => {
    const writes = ready;
    ready = [];
    for (const write of writes) write();
  };
  return (write) => {
    ready.push(write);
    if (ready.length === 1) setImmediate(flush);
    else if (ready.length === batchMax) flush();
  };
}
