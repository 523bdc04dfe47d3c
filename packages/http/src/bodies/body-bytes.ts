import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceError } from '@service/errors';
import { inTurn } from '../limits/request-turns.ts';
import type { ByteBudget } from './byte-budget.ts';
import { createJoinedParts } from './joined-parts.ts';

/** A body rejected before its fields are checked; reported under the key `body`. */
export class BodyError extends ServiceError {
  constructor(status: 400 | 413 | 415, problem: string, cause?: unknown) {
    super('VALIDATION_FAILED', 'The request has an invalid body.', { errors: { body: [problem] }, status, cause });
  }
}

export interface ReadOptions {
  /** Limit after decompression. */
  readonly limitBytes: number;
  readonly slowClients: ByteBudget;
}

const retryAfterSeconds = 1;
/** Memory of a decoder. */
const decoderBytes = 64_000;
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The bytes of a body that arrived with its headers, without events, which cost as much as all else about it. */
export function readBuffered(request: IncomingMessage): Buffer | undefined {
  const whole: unknown = request.complete ? request.read() : undefined;
  return Buffer.isBuffer(whole) ? whole : undefined;
}

/**
 * Reads a body to its end. After a failure the rest is read and dropped, so that the connection stays usable.
 * @throws BodyError 413 above the limit, 415 for an unknown encoding, 400 when it cannot be read; ServiceError
 *   `UNAVAILABLE` when others need the memory.
 */
export function readBytes(request: IncomingMessage, { limitBytes, slowClients }: ReadOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const decoder = decoderFor(request);
    const stream: Readable = decoder === undefined ? request : request.pipe(decoder);
    const ownBytes = decoder === undefined ? 0 : decoderBytes;
    const parts = createJoinedParts();
    let bytes = 0;
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > limitBytes) fail(tooLarge(limitBytes));
      else {
        parts.add(part);
        held.set(ownBytes + parts.memory());
      }
    };
    const end = (): void => {
      held.release();
      stream.off('data', onData);
      parts.takeAll();
    };
    let failed = false;
    const fail = (problem: ServiceError): void => {
      failed = true;
      end();
      request.unpipe();
      decoder?.destroy();
      request.resume();
      inTurn(() => reject(problem));
    };
    const held = slowClients.hold(() => fail(tooSlow()));
    const unreadable = (cause?: unknown): void => fail(new BodyError(400, 'The body could not be read.', cause));
    held.set(ownBytes);
    stream.on('data', onData);
    stream.once('end', () => {
      // Reads and drops bytes after the end of the compressed body.
      if (decoder !== undefined) request.unpipe().resume();
      inTurn(() => {
        if (failed) return;
        const all = parts.takeAll();
        const [only = Buffer.alloc(0)] = all;
        resolve(all.length > 1 ? Buffer.concat(all) : only);
        end();
      });
    });
    stream.on('error', unreadable);
    request.once('close', () => {
      if (!request.complete) unreadable();
    });
    if (request.destroyed) unreadable();
  });
}

/** The error of a client whose unfinished body takes memory that others need. */
function tooSlow(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is overloaded, and the body arrived slowly. Please try again.', {
    retryAfterSeconds,
  });
}

/** The 413 for a body over its limit. */
export function tooLarge(limitBytes: number): BodyError {
  return new BodyError(413, `The body must be at most ${limitBytes} bytes long.`);
}

function decoderFor({ headers }: IncomingMessage): Transform | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (create === undefined) throw new BodyError(415, 'The Content-Encoding of the body is not supported.');
  return create();
}
