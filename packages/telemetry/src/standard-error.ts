import { fstatSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines beyond this, which a slow reader has not read, are dropped. */
const unwrittenBytesMax = 1_000_000;
const standardError = 2;

/** Standard error for the log. Writing neither blocks nor throws: a line that fails is lost, the next one tried. */
export function openStandardError(): DestinationStream {
  // A closed pipe would end the process if nothing listened.
  process.stderr.on('error', () => undefined);
  const status = fstatSync(standardError);
  return status.isFIFO() || status.isSocket() ? { write: writeToReader } : { write: writeToFile };
}

/** A synchronous write blocks on a full pipe; Node's stream queues instead. */
function writeToReader(line: string): void {
  if (process.stderr.writableLength + line.length <= unwrittenBytesMax) process.stderr.write(line);
}

/** Node's stream fails for good at the first error; a full disk may have room again. */
function writeToFile(line: string): void {
  try {
    writeSync(standardError, line);
  } catch {
    // The failure cannot be reported anywhere.
  }
}
