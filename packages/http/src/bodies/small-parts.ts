import type { IncomingMessage } from 'node:http';

/** Smaller parts are joined to parts of this size. */
const joinedBytes = 4_096;

/**
 * Joins small parts of a body that arrive together. Each takes some 400 bytes beside its own, and the client chooses how
 * many there are: with a byte in each chunk, what is read at once would take sixty times as much.
 */
export function joinSmallParts(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let joined: Buffer | undefined;
  let length = 0;

  const flush = (): void => {
    const part = joined?.subarray(0, length);
    joined = undefined;
    length = 0;
    if (part !== undefined && !request.destroyed) push(part);
  };

  request.push = (part: unknown): boolean => {
    if (!Buffer.isBuffer(part) || part.length >= joinedBytes) {
      flush();
      return push(part);
    }
    if (length + part.length > joinedBytes) flush();
    if (joined === undefined) {
      joined = Buffer.allocUnsafeSlow(joinedBytes);
      // What has arrived by then is handed on, though the rest of the body may come much later.
      setImmediate(flush);
    }
    length += part.copy(joined, length);
    return request.readableLength + length < request.readableHighWaterMark;
  };
}
