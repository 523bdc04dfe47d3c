import { setImmediate } from 'node:timers/promises';

/** Parsed within milliseconds. */
const chunkBytes = 16_384;

/**
 * Splits large parts and joins small ones, which parsers would copy again during a long row, and yields to the event
 * loop after each chunk.
 */
export async function* inChunks(source: AsyncIterable<Buffer>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of source) {
    for (let start = 0; start < part.length; ) {
      const end = Math.min(part.length, start + chunkBytes - length);
      parts.push(part.subarray(start, end));
      length += end - start;
      start = end;
      if (length < chunkBytes) continue;
      signal?.throwIfAborted();
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
      await setImmediate();
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}
