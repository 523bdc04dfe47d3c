import type { Request, Response } from 'express';
import { ServiceError } from '../errors.ts';
import { whenClosed } from '../http/closed.ts';

/** A file that has arrived whole. */
export interface ReceivedFile {
  /** Can be read once. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** A file that is being sent. */
interface Arriving {
  readonly beganAt: number;
  bytes: number;
  readonly reject: (problem: ServiceError) => void;
}

/** All files in memory are at most this many of the largest: one is imported while others arrive. */
const largestFilesMax = 3;
const retryAfterSeconds = 5;

/**
 * Creates the reader of bodies that are files. They are held in memory until the response is closed; when all of them
 * together are too large, the one that arrives slowest is rejected.
 * @throws ServiceError `VALIDATION_FAILED` (413) for a file that is too large, `UNAVAILABLE` without memory for it or
 *   when its client disconnects.
 */
export function createFileReader(
  fileBytesMax: number,
  budgetBytes = largestFilesMax * fileBytesMax,
): (request: Request, response: Response) => Promise<ReceivedFile> {
  const arriving = new Set<Arriving>();
  let heldBytes = 0;

  const makeRoom = (): void => {
    const now = performance.now();
    const pace = ({ bytes, beganAt }: Arriving): number => bytes / (now - beganAt);
    while (heldBytes > budgetBytes && arriving.size > 0) {
      const [slowest] = [...arriving].toSorted((one, other) => pace(one) - pace(other));
      slowest?.reject(
        new ServiceError('UNAVAILABLE', 'Too many files are being sent. Please try again.', { retryAfterSeconds }),
      );
    }
  };

  return (request, response) =>
    new Promise((resolve, reject) => {
      // At once, even while it is still being sent: the rest of it is read and dropped after the response.
      if (Number(request.headers['content-length']) > fileBytesMax) throw tooLarge(fileBytesMax);
      const parts: Buffer[] = [];
      const release = (): void => {
        heldBytes -= file.bytes;
        file.bytes = 0;
        parts.length = 0;
      };
      const fail = (problem: ServiceError): void => {
        arriving.delete(file);
        request.off('data', receive);
        release();
        request.resume();
        reject(problem);
      };
      const receive = (part: Buffer): void => {
        parts.push(part);
        file.bytes += part.length;
        heldBytes += part.length;
        if (file.bytes > fileBytesMax) fail(tooLarge(fileBytesMax));
        else makeRoom();
      };
      const file: Arriving = { beganAt: performance.now(), bytes: 0, reject: fail };
      arriving.add(file);
      request.on('data', receive);
      request.once('end', () => {
        if (!arriving.delete(file)) return;
        resolve({ bytes: consume(parts) });
        whenClosed(response, release);
      });
      request.once('close', () => {
        if (arriving.has(file)) fail(new ServiceError('UNAVAILABLE', 'The client disconnected.'));
      });
    });
}

/** What has been read is not held any longer. */
async function* consume(parts: Buffer[]): AsyncGenerator<Buffer> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part;
}

function tooLarge(fileBytesMax: number): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', {
    errors: { file: [`file must be at most ${fileBytesMax} bytes long.`] },
    status: 413,
  });
}
