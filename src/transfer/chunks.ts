import { setImmediate } from 'node:timers/promises';

/** Parsed within milliseconds. */
const chunkBytes = 65_536;

/** Joins small chunks, which parsers would copy again during a long row, and yields to the event loop after each. */
export async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of source) {
    parts.push(part);
    length += part.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(parts);
    parts = [];
    length = 0;
    await setImmediate();
  }
  if (length > 0) yield Buffer.concat(parts);
}
