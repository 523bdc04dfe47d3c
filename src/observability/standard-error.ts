import { fstatSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines that a slow reader has not taken; what comes when there are more is lost. */
const unwrittenBytesMax = 1_000_000;
const standardError = 2;

/**
 * Opens standard error for lines of the log. Writing a line neither waits nor throws: on a full disk, in a full pipe or
 * where nobody listens any more it is lost, and the next one is tried again.
 */
export function openStandardError(): DestinationStream {
  // Without a listener, a reader that has left would end the process.
  process.stderr.on('error', () => undefined);
  const status = fstatSync(standardError);
  return status.isFIFO() || status.isSocket() ? { write: writeToReader } : { write: writeToFile };
}

/** A pipe that is full would block a synchronous write for as long as its reader likes; Node's stream queues instead. */
function writeToReader(line: string): void {
  if (process.stderr.writableLength + line.length <= unwrittenBytesMax) process.stderr.write(line);
}

/** Node's stream gives a file up at the first error; a disk that was full may have room again. */
function writeToFile(line: string): void {
  try {
    writeSync(standardError, line);
  } catch {
    // There is nowhere to tell.
  }
}
