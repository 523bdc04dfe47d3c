import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@service/errors';
import type { Request, Response } from 'express';
import { BodyError, readBuffered, readBytes, tooLarge } from './body-bytes.ts';
import type { ByteBudget } from './byte-budget.ts';

/** A body, or why it could not be read. */
export type RawBody = Buffer | ServiceError;

const bodies = new WeakMap<IncomingMessage, RawBody>();

/** Hands on a body that the fast path has read. */
export function setRawBody(request: IncomingMessage, body: RawBody): void {
  bodies.set(request, body);
}

/** The bytes of a JSON body that was read whole. */
export function rawBodyOf(request: IncomingMessage): Buffer | undefined {
  const body = bodies.get(request);
  return Buffer.isBuffer(body) ? body : undefined;
}

/** Releases the body of a long-lived request: even a short one may hold 8 kB. */
export function clearRawBody(request: IncomingMessage): void {
  bodies.delete(request);
}

export type JsonBodyReader = (request: Request, response: Response) => Promise<Readonly<Record<string, unknown>>>;

/** Bodies that may be longer than others. */
export interface LongerBodies {
  readonly limitBytes: number;
  /** Whether they are read from the sender of a request. */
  isFrom(request: Request): boolean;
  /** What they contain. */
  readonly text: string;
}

/** Throws BodyError: 415 for another media type, 413 above the limit after decompression, 400 if not a JSON object. */
export function createJsonBodyReader(
  limitBytes: number,
  slowClients: ByteBudget,
  longer?: LongerBodies,
): JsonBodyReader {
  return async (request) => {
    requireJson(request);
    const readMax = longer?.isFrom(request) === true ? longer.limitBytes : limitBytes;
    const known = bodies.get(request) ?? (await bytesOf(request, readMax, slowClients));
    setRawBody(request, known);
    if (known instanceof ServiceError) throw known;
    if (known.length > limitBytes && longer !== undefined && !known.includes(longer.text)) throw tooLarge(limitBytes);
    return jsonObjectIn(known);
  };
}

function bytesOf(request: Request, limitBytes: number, slowClients: ByteBudget): Buffer | Promise<Buffer> {
  const bytes = plainBytes(request);
  // Rejects at once, even while the body is being sent; the rest of it is read and dropped after the response.
  if (bytes > limitBytes) throw tooLarge(limitBytes);
  return (bytes <= limitBytes && readBuffered(request)) || readBytes(request, { limitBytes, slowClients });
}

/** The charset parameter is ignored: JSON is UTF-8 (RFC 8259, 8.1), and other bytes are rejected as such. */
function requireJson(request: Request): void {
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return;
  if (mediaType === undefined && !hasBody(request)) throw new BodyError(400, 'A JSON object is required.');
  throw new BodyError(415, 'The body must be sent as Content-Type: application/json.');
}

/** The declared length of a body that is not compressed; `NaN` of any other. */
function plainBytes({ headers }: Request): number {
  return headers['content-encoding'] === undefined ? Number(headers['content-length']) : Number.NaN;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @throws BodyError unless the bytes are a JSON object. */
export function jsonObjectIn(body: unknown): Readonly<Record<string, unknown>> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new BodyError(400, 'A JSON object is required.');
  if (!isUtf8(body)) throw new BodyError(400, 'The body must be encoded as UTF-8.');
  // A byte order mark is ignored, as RFC 8259 8.1 allows: some editors and tools write one.
  const value = parsed(body.toString('utf8').replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BodyError(400, 'The body must be a JSON object.');
  }
  return { ...value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BodyError(400, 'The body is not valid JSON.', cause);
  }
}
