/** What ends a line, `\r\n` included, in any text that is UTF-8: the byte occurs in no other character. */
export const lineBreak = 0x0a;

/** The number of line breaks in some bytes. */
export function countLineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}

/** Tells which line a byte is on, of bytes that come in chunks and are asked for in rising order. */
export interface LineFinder {
  add(chunk: Buffer): void;
  /** @param offset of a byte that has been added, counted from the first; not lower than any asked for before. */
  lineOf(offset: number): number;
  /** The line that the last byte added is on. */
  lastLine(): number;
}

/** Makes one. It keeps only the chunks that have not been asked beyond. */
export function createLineFinder(): LineFinder {
  const chunks: Buffer[] = [];
  let added = 0;
  let passed = 0;
  let line = 1;

  /** Drops the bytes before an offset, counting their line breaks. */
  const passTo = (offset: number): void => {
    while (passed < offset) {
      const chunk = chunks.shift();
      if (chunk === undefined) return;
      const part = chunk.subarray(0, offset - passed);
      line += countLineBreaks(part);
      passed += part.length;
      if (part.length < chunk.length) chunks.unshift(chunk.subarray(part.length));
    }
  };

  return {
    add: (chunk) => {
      chunks.push(chunk);
      added += chunk.length;
    },
    lineOf: (offset) => {
      passTo(offset);
      return line;
    },
    lastLine: () => {
      passTo(added - 1);
      return line;
    },
  };
}
