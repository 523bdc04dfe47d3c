import { FileError } from './errors.ts';

/** Bytes of an element, at most: far more than one that can be imported has, and little enough to hold. */
const elementLengthMax = 1_000_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const lineFeed = 0x0a;

/** One element of an array, as text. */
export interface JsonElement {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Cuts the elements out of a JSON array of any length, holding few of them at a time. They are not looked into: that
 * is for `JSON.parse`. (The libraries for this do not tell on which line an element is.)
 *
 * @throws FileError when the file is not an array, does not end, or goes on after its end.
 */
export async function* readJsonElements(source: AsyncIterable<Buffer>): AsyncGenerator<JsonElement> {
  const cutter = createCutter();
  for await (const chunk of source) yield* cutter.cut(chunk);
  cutter.end();
}

function createCutter() {
  const nesting = createNesting();
  let place: 'before' | 'inside' | 'after' = 'before';
  let line = 1;
  /** The line that the element under way begins on; `undefined` between elements. */
  let startLine: number | undefined;
  let isFirst = true;
  /** The element under way, as far as it stands in earlier chunks. */
  let held: Buffer = Buffer.alloc(0);

  /** Takes the comma or bracket after an element, or in the place of one. */
  const finish = (byte: number, before: Buffer): JsonElement | undefined => {
    const element =
      startLine === undefined ? undefined : { line: startLine, text: Buffer.concat([held, before]).toString() };
    const isEmptyArray = isFirst && byte === closeArray;
    if (element === undefined && !isEmptyArray) throw new FileError(`Line ${line}: an element is missing there.`);
    if (byte === closeArray) place = 'after';
    isFirst = false;
    startLine = undefined;
    held = Buffer.alloc(0);
    return element;
  };

  /** Takes a byte outside of the array: white space, or the bracket that opens it. */
  const takeOutside = (byte: number): void => {
    if (whiteSpace.has(byte)) return;
    if (place === 'after') throw new FileError(`Line ${line}: something follows the end of the JSON array.`);
    if (byte !== openArray) throw new FileError(`Line ${line}: the file must be a JSON array of objects.`);
    place = 'inside';
  };

  return {
    *cut(chunk: Buffer): Generator<JsonElement> {
      let start = 0;
      for (const [at, byte] of chunk.entries()) {
        if (byte === lineFeed) line += 1;
        if (place !== 'inside') {
          takeOutside(byte);
          start = at + 1;
        } else if (nesting.isWithinElement(byte)) {
          if (!whiteSpace.has(byte)) startLine ??= line;
        } else {
          const element = finish(byte, chunk.subarray(start, at));
          if (element !== undefined) yield element;
          start = at + 1;
        }
      }
      held = Buffer.concat([held, chunk.subarray(start)]);
      if (held.length > elementLengthMax)
        throw new FileError(`Line ${startLine ?? line}: what begins there is too long.`);
    },
    end(): void {
      if (place === 'before') throw new FileError('The file is empty: it must be a JSON array of objects.');
      if (place === 'inside') throw new FileError(`Line ${line}: the file ends before its JSON array does.`);
    },
  };
}

/** Follows JSON byte by byte, just far enough to know where the elements of the outermost array end. */
function createNesting() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;

  const takeInString = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) inString = false;
  };

  return {
    /** Whether the next byte belongs to an element or the white space around it, not to the array itself. */
    isWithinElement(byte: number): boolean {
      if (inString) takeInString(byte);
      else if (byte === quote) inString = true;
      else if (byte === openObject || byte === openArray) depth += 1;
      else if (depth === 0 && (byte === comma || byte === closeArray)) return false;
      // One that closes nothing is for JSON.parse to find; it must not hide the end of its element.
      else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1);
      return true;
    },
  };
}
