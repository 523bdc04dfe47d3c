import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response } from 'express';
import { ServiceError } from '../errors.ts';

/** A body rejected before its fields are checked; reported under the key `body` (`docs/contract.md` 2). */
export class BodyError extends ServiceError {
  constructor(status: 400 | 413 | 415, problem: string, cause?: unknown) {
    super('VALIDATION_FAILED', 'The request has an invalid body.', { errors: { body: [problem] }, status, cause });
  }
}

const bodies = new WeakMap<IncomingMessage, Buffer>();

export function setRawBody(request: IncomingMessage, body: Buffer): void {
  bodies.set(request, body);
}

export function rawBodyOf(request: IncomingMessage): Buffer | undefined {
  return bodies.get(request);
}

/** Releases the body of a long-lived request: even a short one may hold 8 kB. */
export function clearRawBody(request: IncomingMessage): void {
  bodies.delete(request);
}

/** The bytes of a body that arrived with its headers, without events, which cost as much as all else about it. */
export function readBuffered(request: IncomingMessage): Buffer | undefined {
  const whole: unknown = request.complete ? request.read() : undefined;
  return Buffer.isBuffer(whole) ? whole : undefined;
}

export type JsonBodyReader = (request: Request, response: Response) => Promise<Readonly<Record<string, unknown>>>;

/** Throws BodyError: 415 for another media type, 413 above the limit after decompression, 400 if not a JSON object. */
export function createJsonBodyReader(limitBytes: number): JsonBodyReader {
  const readBytes = express.raw({ type: () => true, limit: limitBytes });
  return async (request, response) => {
    requireJson(request);
    const known = bodies.get(request);
    if (known !== undefined) return jsonObjectIn(known);
    const bytes = plainBytes(request);
    // At once, even while it is still being sent: the rest of it is read and dropped after the response.
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    const plain = bytes <= limitBytes ? readBuffered(request) : undefined;
    if (plain !== undefined) {
      setRawBody(request, plain);
      return jsonObjectIn(plain);
    }
    await new Promise<void>((resolve, reject) => {
      // The reader reports it when it has dropped the whole body, which may take as long as the client likes.
      whenLonger(request, limitBytes, () => reject(tooLarge(limitBytes)));
      readBytes(request, response, (problem?: unknown) => {
        if (problem === undefined || problem === null) resolve();
        else reject(bodyErrorOf(problem, limitBytes));
      });
    });
    if (Buffer.isBuffer(request.body)) setRawBody(request, request.body);
    return jsonObjectIn(request.body);
  };
}

/** The charset parameter is ignored: JSON is UTF-8 (RFC 8259, 8.1), and other bytes are rejected as such. */
function requireJson(request: Request): void {
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return;
  if (mediaType === undefined && !hasBody(request)) throw new BodyError(400, 'A JSON object is required.');
  throw new BodyError(415, 'The body must be sent as Content-Type: application/json.');
}

/** Calls `done` once more bytes have arrived than allowed; those of a compressed body are measured when they are plain. */
function whenLonger(request: Request, limitBytes: number, done: () => void): void {
  if (request.headers['content-encoding'] !== undefined) return;
  let bytes = 0;
  const count = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= limitBytes) return;
    request.off('data', count);
    done();
  };
  request.on('data', count);
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

function tooLarge(limitBytes: number, cause?: unknown): BodyError {
  return new BodyError(413, `The body must be at most ${limitBytes} bytes long.`, cause);
}

function bodyErrorOf(problem: unknown, limitBytes: number): BodyError {
  const status = problem instanceof Error ? Reflect.get(problem, 'status') : undefined;
  if (status === 413) return tooLarge(limitBytes, problem);
  if (status === 415) return new BodyError(415, 'The Content-Encoding of the body is not supported.', problem);
  return new BodyError(400, 'The body could not be read.', problem);
}
