import { ServiceError } from '@service/errors';
import { createByteBudget } from '@service/http/byte-budget';
import { createJoinedParts } from '@service/http/joined-parts';
import { whenClosed } from '@service/http/send';
import type { Request, Response } from 'express';
import { problem } from '../../../validation/problems.ts';

/** A file that has arrived whole. */
export interface ReceivedFile {
  /** Can be read once. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Files in memory are together at most this many of the largest: one is imported while others arrive. */
const largestFilesMax = 3;
const retryAfterSeconds = 5;

/**
 * Creates the reader of bodies that are files, which stay in memory until the response is closed. When they are too
 * large together, the one that has been arriving for the longest time is rejected.
 * @throws ServiceError `VALIDATION_FAILED` (413) for a file that is too large, `UNAVAILABLE` without memory for it or
 *   when its client disconnects.
 */
export function createFileReader(
  fileBytesMax: number,
): (request: Request, response: Response) => Promise<ReceivedFile> {
  const files = createByteBudget(largestFilesMax * fileBytesMax);
  return (request, response) =>
    new Promise((resolve, reject) => {
      // Rejects at once, even while the file is being sent; the rest of it is read and dropped after the response.
      if (Number(request.headers['content-length']) > fileBytesMax) throw tooLarge(fileBytesMax);
      const parts = createJoinedParts();
      let bytes = 0;
      const release = (): void => {
        held.release();
        parts.takeAll();
      };
      const fail = (error: ServiceError): void => {
        request.off('data', receive);
        release();
        request.resume();
        reject(error);
      };
      const held = files.hold(() =>
        fail(new ServiceError('UNAVAILABLE', problem('TOO_MANY_FILES'), { retryAfterSeconds })),
      );
      const receive = (part: Buffer): void => {
        bytes += part.length;
        if (bytes > fileBytesMax) {
          fail(tooLarge(fileBytesMax));
          return;
        }
        parts.add(part);
        held.set(bytes);
      };
      request.on('data', receive);
      request.once('end', () => {
        held.settle();
        const whole = parts.takeAll();
        resolve({ bytes: consume(whole) });
        whenClosed(response, () => {
          release();
          whole.length = 0;
        });
      });
      request.once('close', () => {
        if (!request.complete) fail(new ServiceError('UNAVAILABLE', 'The client disconnected.'));
      });
    });
}

/** Frees each part once it is read. */
async function* consume(parts: Buffer[]): AsyncGenerator<Buffer> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part;
}

function tooLarge(fileBytesMax: number): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', {
    errors: { file: [problem('FILE_TOO_LARGE', { field: 'file', max: fileBytesMax })] },
    status: 413,
  });
}
