import { FileError } from './errors.ts';
import { fileProblem } from './problems.ts';
import { rowLengthMax } from './rows.ts';

/** Levels in an element: valid ones have one, and JSON.stringify is recursive. */
const nestingMax = 100;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const lineFeed = 0x0a;

export interface JsonElement {
  readonly line: number;
  readonly text: string;
}

/**
 * Splits a JSON array of any length into its elements' texts (streaming parsers do not report an element's line).
 * @throws FileError when the file is not an array, is truncated, or continues after its end.
 */
export async function* readJsonElements(source: AsyncIterable<Buffer>): AsyncGenerator<JsonElement> {
  const splitter = createSplitter();
  for await (const chunk of source) yield* splitter.split(chunk);
  splitter.end();
}

function createSplitter() {
  const nesting = createNesting();
  let position: 'before' | 'inside' | 'after' = 'before';
  let line = 1;
  let startLine: number | undefined;
  let isFirst = true;
  let buffered: Buffer = Buffer.alloc(0);

  /** Adds a part of the element, or of the white space around it. */
  const add = (part: Buffer): void => {
    if (buffered.length + part.length > rowLengthMax)
      throw new FileError(`Line ${startLine ?? line}: the element that begins here is too long.`);
    buffered = Buffer.concat([buffered, part]);
  };

  const finish = (byte: number): JsonElement | undefined => {
    const element = startLine === undefined ? undefined : { line: startLine, text: buffered.toString() };
    const isEmptyArray = isFirst && byte === closeArray;
    if (element === undefined && !isEmptyArray) throw new FileError(`Line ${line}: an element is missing.`);
    if (byte === closeArray) position = 'after';
    isFirst = false;
    startLine = undefined;
    buffered = Buffer.alloc(0);
    return element;
  };

  const scanOutside = (byte: number): void => {
    if (whiteSpace.has(byte)) return;
    if (position === 'after') throw new FileError(`Line ${line}: there is data after the end of the JSON array.`);
    if (byte !== openArray) throw new FileError(fileProblem('NO_JSON_ARRAY', { line }));
    position = 'inside';
  };

  return {
    *split(chunk: Buffer): Generator<JsonElement> {
      let start = 0;
      for (const [at, byte] of chunk.entries()) {
        if (byte === lineFeed) line += 1;
        if (position !== 'inside') {
          scanOutside(byte);
          start = at + 1;
        } else if (nesting.isWithinElement(byte)) {
          if (!whiteSpace.has(byte)) startLine ??= line;
          if (nesting.depth() > nestingMax)
            throw new FileError(`Line ${startLine ?? line}: the element that begins here is nested too deeply.`);
        } else {
          add(chunk.subarray(start, at));
          const element = finish(byte);
          if (element !== undefined) yield element;
          start = at + 1;
        }
      }
      add(chunk.subarray(start));
    },
    end(): void {
      if (position === 'before') throw new FileError('The file is empty: it must be a JSON array of objects.');
      if (position === 'inside') throw new FileError(fileProblem('CUT_JSON', { line }));
    },
  };
}

/** Tracks nesting byte by byte, to find where the elements of the outermost array end. */
function createNesting() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;

  const scanString = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) inString = false;
  };

  return {
    depth: (): number => depth,
    /** Or to the white space around it, rather than to the array. */
    isWithinElement(byte: number): boolean {
      if (inString) scanString(byte);
      else if (byte === quote) inString = true;
      else if (byte === openObject || byte === openArray) depth += 1;
      else if (depth === 0 && (byte === comma || byte === closeArray)) return false;
      // An unmatched one is left to JSON.parse; it must not hide the end of its element.
      else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1);
      return true;
    },
  };
}
