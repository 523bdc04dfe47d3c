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
 * Splits a JSON array of any length, or objects one after the other, as JSON lines are, into the texts of its elements
 * (streaming parsers do not report an element's line).
 * @throws FileError when the file is neither, is truncated, or continues after its end.
 */
export async function* readJsonElements(source: AsyncIterable<Buffer>): AsyncGenerator<JsonElement> {
  const splitter = createSplitter();
  for await (const chunk of source) yield* splitter.split(chunk);
  splitter.end();
}

function createSplitter() {
  const nesting = createNesting();
  let position: 'before' | 'in array' | 'after' | 'between objects' | 'in object' = 'before';
  let line = 1;
  let startLine: number | undefined;
  let isFirst = true;
  let buffered: Buffer = Buffer.alloc(0);
  /** Whether a list has just begun within an object, or anywhere in the first value of one, as in `{"data":{"items":[`. */
  let isInList = false;
  let isFirstValue = true;

  /** Adds a part of the element, or of the white space around it. */
  const add = (part: Buffer): void => {
    if (buffered.length + part.length > rowLengthMax)
      throw new FileError(fileProblem('JSON_TOO_LONG', { line: startLine ?? line }));
    buffered = Buffer.concat([buffered, part]);
  };

  const take = (): JsonElement | undefined => {
    const element = startLine === undefined ? undefined : { line: startLine, text: buffered.toString() };
    isFirst = false;
    startLine = undefined;
    buffered = Buffer.alloc(0);
    return element;
  };

  const finish = (byte: number): JsonElement | undefined => {
    const isEmptyArray = isFirst && byte === closeArray;
    if (startLine === undefined && !isEmptyArray) throw new FileError(fileProblem('NO_JSON_ELEMENT', { line }));
    if (byte === closeArray) position = 'after';
    return take();
  };

  /** Whether the byte begins an element. */
  const scanOutside = (byte: number): boolean => {
    if (whiteSpace.has(byte)) return false;
    if (position === 'after') throw new FileError(fileProblem('DATA_AFTER_JSON', { line }));
    if (byte === openArray && position === 'before') position = 'in array';
    else if (byte === openObject) position = 'in object';
    else throw new FileError(fileProblem('NO_JSON_ARRAY', { line }));
    return position === 'in object';
  };

  const scanInside = (byte: number): boolean => {
    if (!nesting.isWithinElement(byte)) return false;
    if (whiteSpace.has(byte)) return true;
    startLine ??= line;
    if (nesting.depth() > nestingMax) throw new FileError(fileProblem('JSON_TOO_DEEP', { line: startLine }));
    if (isFirst && isInList && byte === openObject)
      throw new FileError(fileProblem('JSON_IN_OBJECT', { line: startLine }));
    const isText = nesting.isInString();
    if (byte === comma && nesting.depth() === 1 && !isText) isFirstValue = false;
    isInList = position === 'in object' && byte === openArray && (isFirstValue || nesting.depth() === 2) && !isText;
    return true;
  };

  return {
    *split(chunk: Buffer): Generator<JsonElement> {
      let start = 0;
      for (const [at, byte] of chunk.entries()) {
        if (byte === lineFeed) line += 1;
        const isOutside = position !== 'in array' && position !== 'in object';
        if (isOutside && !scanOutside(byte)) start = at + 1;
        else if (!scanInside(byte)) {
          add(chunk.subarray(start, at));
          const element = finish(byte);
          if (element !== undefined) yield element;
          start = at + 1;
        } else if (position === 'in object' && nesting.depth() === 0) {
          add(chunk.subarray(start, at + 1));
          const element = take();
          if (element !== undefined) yield element;
          position = 'between objects';
          start = at + 1;
        }
      }
      add(chunk.subarray(start));
    },
    end(): void {
      if (position === 'before') throw new FileError(fileProblem('EMPTY_JSON'));
      if (position === 'in array') throw new FileError(fileProblem('CUT_JSON', { line }));
      if (position === 'in object') throw new FileError(fileProblem('NO_JSON', { line: startLine ?? line }));
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
    isInString: (): boolean => inString,
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
