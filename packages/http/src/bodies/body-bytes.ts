import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
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
  /** Limit of the bytes that are sent, and after decompression. */
  readonly limitBytes: number;
  readonly slowClients: ByteBudget;
}

const retryAfterSeconds = 1;
type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** The bytes of a body that arrived with its headers, without events, which cost as much as all else about it. */
export function readBuffered(request: IncomingMessage): Buffer | undefined {
  const whole: unknown = request.complete ? request.read() : undefined;
  return Buffer.isBuffer(whole) ? whole : undefined;
}

/**
 * Reads a body to its end, then decompresses it. After a failure the rest is read and dropped, so that the connection stays
 * usable.
 * @throws BodyError 413 above the limit, 415 for an unknown encoding, 400 when it cannot be read; ServiceError
 *   `UNAVAILABLE` when others need the memory.
 */
export async function readBytes(request: IncomingMessage, options: ReadOptions): Promise<Buffer> {
  const decode = decoderFor(request);
  const bytes = await readSent(request, options);
  return decode === undefined ? bytes : decompressed(bytes, decode, options);
}

function readSent(request: IncomingMessage, { limitBytes, slowClients }: ReadOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts = createJoinedParts();
    let bytes = 0;
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > limitBytes) fail(tooLarge(limitBytes));
      else {
        parts.add(part);
        held.set(parts.memory());
      }
    };
    const end = (): void => {
      held.release();
      request.off('data', onData);
      parts.takeAll();
    };
    let failed = false;
    const fail = (problem: ServiceError): void => {
      failed = true;
      end();
      request.resume();
      inTurn(request, () => reject(problem));
    };
    const held = slowClients.hold(() => fail(tooSlow()));
    request.on('data', onData);
    request.once('end', () =>
      inTurn(request, () => {
        if (failed) return;
        const all = parts.takeAll();
        const [only = Buffer.alloc(0)] = all;
        resolve(all.length > 1 ? Buffer.concat(all) : only);
        end();
      }),
    );
    const onBroken = (cause?: unknown): void => fail(unreadable(cause));
    request.on('error', onBroken);
    request.once('close', () => {
      if (!request.complete) onBroken();
    });
    if (request.destroyed) onBroken();
  });
}

/** Bytes of a body that waits for no longer one: its decoder takes ten times as long. */
const shortMax = 10_000;
const queues: { short: Promise<unknown>; long: Promise<unknown> } = {
  short: Promise.resolve(),
  long: Promise.resolve(),
};

/**
 * One decoder of each queue at a time, and none for a body that is still being sent: some bodies of 40 kB make one take 2 MB.
 * What waits counts as unfinished.
 */
function decompressed(bytes: Buffer, decode: Decode, { limitBytes, slowClients }: ReadOptions): Promise<Buffer> {
  const queue = bytes.length > shortMax ? 'long' : 'short';
  return new Promise((resolve, reject) => {
    let isRejected = false;
    const waiting = slowClients.hold(() => {
      isRejected = true;
      reject(tooSlow());
    });
    waiting.set(bytes.length);
    queues[queue] = queues[queue].then(async () => {
      if (isRejected) return;
      try {
        resolve(await decode(bytes, { maxOutputLength: limitBytes }));
      } catch (problem) {
        reject(problem instanceof RangeError ? tooLarge(limitBytes) : unreadable(problem));
      } finally {
        waiting.release();
      }
    });
  });
}

const unreadable = (cause?: unknown): BodyError => new BodyError(400, 'The body could not be read.', cause);

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

function decoderFor({ headers }: IncomingMessage): Decode | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined) throw new BodyError(415, 'The Content-Encoding of the body is not supported.');
  return decode;
}
