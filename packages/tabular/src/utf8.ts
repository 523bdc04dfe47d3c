import { isUtf8 } from 'node:buffer';
import { FileError } from './errors.ts';

/** In UTF-8 this byte occurs in no other character. */
const lineBreak = 0x0a;
/** The longest mark of the beginning of a file. */
const marksBytes = 4;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Those of ZIP, which .xlsx and .ods are, and of .xls. */
const spreadsheetMarks = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * Validates UTF-8 and yields it without its byte order mark, in chunks that do not split characters.
 * @throws FileError with the line of the first invalid bytes: other encodings would be imported with garbled names.
 */
export async function* readUtf8(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let isStart = true;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isStart && bytes.length < marksBytes) {
      rest = bytes;
      continue;
    }
    const start = isStart ? startOf(bytes) : 0;
    isStart = false;
    const end = endOfWholeCharacters(bytes);
    const text = bytes.subarray(start, end);
    requireUtf8(text, line);
    line += countLineBreaks(text);
    rest = bytes.subarray(end);
    yield text;
  }
  const last = isStart ? rest.subarray(startOf(rest)) : rest;
  requireUtf8(last, line);
  if (last.length > 0) yield last;
}

function startOf(bytes: Buffer): number {
  const isAtStart = (mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);
  if (spreadsheetMarks.some(isAtStart)) {
    throw new FileError(
      'The file is a spreadsheet or an archive and not text. Save it as CSV in UTF-8 and import that.',
    );
  }
  if (utf16Marks.some(isAtStart)) {
    throw new FileError('The file is UTF-16. Save it as UTF-8 and import that.');
  }
  return isAtStart(byteOrderMark) ? byteOrderMark.length : 0;
}

function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function requireUtf8(text: Buffer, firstLine: number): void {
  if (isUtf8(text)) return;
  let line = firstLine;
  let start = 0;
  for (let end = text.indexOf(lineBreak); end !== -1; end = text.indexOf(lineBreak, start)) {
    if (!isUtf8(text.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  throw new FileError(`Line ${line} is not UTF-8. Save the file as UTF-8 and import that.`);
}

function countLineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}
