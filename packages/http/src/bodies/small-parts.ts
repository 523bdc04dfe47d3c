import type { IncomingMessage } from 'node:http';
import { createTurns } from '../limits/turns.ts';
import { createSmallParts, joinedBytes } from './joined-parts.ts';

/** Small parts of a body after which the rest waits for its turn: a few milliseconds of parsing. */
const partsMax = 1_000;
/** Connections with so many that are read in one turn of the event loop: each read may have ten thousand, in 20 ms. */
const readsPerTurn = 2;

const turnFor = createTurns(readsPerTurn);

/**
 * Joins small parts of a body that arrive together. Each takes some 400 bytes beside its own, and the client chooses how
 * many there are: with a byte in each chunk, what is read at once would take sixty times as much. What arrives alone takes
 * no more than by itself.
 */
export function joinSmallParts(request: IncomingMessage): void {
  const push = request.push.bind(request);
  const small = createSmallParts();
  let parts = 0;
  const read = request._read.bind(request);

  const flush = (): void => {
    const part = small.take();
    if (part !== undefined && !request.destroyed) push(part);
  };

  request.push = (part: unknown): boolean => {
    if (!Buffer.isBuffer(part) || part.length >= joinedBytes) {
      flush();
      return push(part);
    }
    if (!small.hasRoomFor(part)) flush();
    // What has arrived by then is handed on, though the rest of the body may come much later.
    if (small.length() === 0) setImmediate(flush);
    small.add(part);
    parts += 1;
    return parts < partsMax && request.readableLength + small.length() < request.readableHighWaterMark;
  };

  request._read = (size) => {
    const turn = parts < partsMax ? undefined : turnFor(1);
    parts = 0;
    if (turn === undefined) read(size);
    else void turn.then(() => read(size));
  };
}
