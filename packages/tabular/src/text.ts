import { isAscii, isUtf8 } from 'node:buffer';
import { FileError } from './errors.ts';
import { fileProblem } from './problems.ts';

/** Encodings that nothing in a file identifies. */
export const unmarkedEncodings = [
  'Windows-1252',
  'Windows-1250',
  'Windows-1251',
  'Windows-1253',
  'Windows-1254',
  'Windows-1255',
  'Windows-1256',
  'Windows-1257',
  'Windows-1258',
  'Windows-874',
  'GB18030',
  'Big5',
  'Shift_JIS',
  'EUC-KR',
  'Macintosh',
] as const;

type UnmarkedEncoding = (typeof unmarkedEncodings)[number];

/** Whether an encoding that nobody has chosen is only the likeliest of several. */
export const isGuess = (encoding: Encoding | null): boolean =>
  unmarkedEncodings.some((unmarked) => unmarked === encoding);

/** Encodings that a user may choose. */
export const choosableEncodings = ['UTF-8', ...unmarkedEncodings] as const;

export type ChoosableEncoding = (typeof choosableEncodings)[number];

/** How the text of a file is encoded, by the name that people know. */
export type Encoding = ChoosableEncoding | 'UTF-16';

/** This byte occurs in no other character of UTF-8. */
const lineBreak = 0x0a;
/** The longest mark of the beginning of a file. */
const marksBytes = 4;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** First bytes of ZIP files, which .xlsx and .ods are, and of .xls. */
const spreadsheetMarks = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const utf16Marks = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

/** Recognizes UTF-32 by its mark, which begins as one of UTF-16, or by three zero bytes of an ASCII character. */
function isUtf32(start: Buffer): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = start;
  if (start.length < marksBytes) return false;
  return (
    (second === 0 && third === 0 && (first === 0) !== (fourth === 0)) ||
    utf32Marks.some((mark) => start.subarray(0, 4).equals(mark))
  );
}

const utf32Marks = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])];

/** Two ASCII characters have a zero byte each. */
function unmarkedUtf16([first = 0, second = 0, third = 0, fourth = 0]: Buffer):
  | (typeof utf16Marks)[number]
  | undefined {
  if (first > 0 && second === 0 && third > 0 && fourth === 0) return utf16Marks[0];
  return first === 0 && second > 0 && third === 0 && fourth > 0 ? utf16Marks[1] : undefined;
}

type Decoder = (bytes: Buffer, isEnd: boolean) => Buffer;

/**
 * Yields a text as UTF-8 without its byte order mark, in chunks that do not split characters. A mark at the beginning
 * says the encoding; else it is the chosen one. Without a choice, the first character beyond ASCII says whether it is
 * UTF-8 or Windows-1252.
 * @throws FileError with the line of the first bytes that are invalid in UTF-8 among characters of UTF-8, or in the chosen
 *   encoding, and for a spreadsheet.
 */
export async function* readText(
  source: AsyncIterable<Buffer>,
  onEncoding: (encoding: Encoding) => void,
  chosen?: ChoosableEncoding,
): AsyncGenerator<Buffer> {
  let decode: Decoder | undefined;
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    start = bytes;
    if (decode === undefined && bytes.length < marksBytes) continue;
    decode ??= decoderFor(bytes, onEncoding, chosen);
    start = Buffer.alloc(0);
    const text = decode(bytes, false);
    if (text.length > 0) yield text;
  }
  const last = (decode ?? decoderFor(start, onEncoding, chosen))(start, true);
  if (last.length > 0) yield last;
}

function decoderFor(
  start: Buffer,
  onEncoding: (encoding: Encoding) => void,
  chosen: ChoosableEncoding | undefined,
): Decoder {
  const isAtStart = (mark: Buffer): boolean => start.subarray(0, mark.length).equals(mark);
  if (spreadsheetMarks.some(isAtStart)) {
    throw new FileError(fileProblem('WORKBOOK_AS_TEXT'));
  }
  if (isUtf32(start)) throw new FileError(fileProblem('UTF_32'));
  const utf16 = utf16Marks.find(([, mark]) => isAtStart(mark)) ?? unmarkedUtf16(start);
  if (utf16 !== undefined) {
    onEncoding('UTF-16');
    return createUtf16Decoder(utf16[0]);
  }
  const isMarked = isAtStart(byteOrderMark);
  const unmarked = unmarkedEncodings.find((encoding) => encoding === chosen && !isMarked);
  onEncoding(unmarked ?? 'UTF-8');
  return unmarked === undefined
    ? createUtf8Decoder(isMarked, chosen === 'UTF-8', onEncoding)
    : createUnmarkedDecoder(unmarked);
}

function createUtf16Decoder(label: (typeof utf16Marks)[number][0]): Decoder {
  const decoder = new TextDecoder(label, { fatal: true });
  return (bytes, isEnd) => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: !isEnd }));
    } catch {
      throw new FileError(fileProblem('NOT_UTF_16'));
    }
  };
}

/**
 * Decodes UTF-8 and Windows-1252, which are the same up to the first character beyond ASCII: this one decides, once it is
 * there with what follows it, so that neither the cuts into chunks nor the length of the file count.
 */
function createUtf8Decoder(isMarked: boolean, isChosen: boolean, onEncoding: (encoding: Encoding) => void): Decoder {
  let isCertain = isMarked || isChosen;
  let isWindows = false;
  let isStart = isMarked;
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk, isEnd) => {
    if (isWindows) return fromWindows1252(chunk);
    const bytes = isStart ? chunk.subarray(byteOrderMark.length) : Buffer.concat([rest, chunk]);
    isStart = false;
    const first = isCertain || isAscii(bytes) ? -1 : bytes.findIndex((byte) => byte > 0x7f);
    const isDecided = first === -1 || isEnd || bytes.length - first >= decidingBytes;
    if (first !== -1 && isDecided) {
      isWindows = isWindows1252(bytes.subarray(first, first + decidingBytes));
      isCertain = !isWindows;
    }
    if (isWindows) {
      onEncoding('Windows-1252');
      return fromWindows1252(bytes);
    }
    const end = isDecided ? (isEnd ? bytes.length : endOfWholeCharacters(bytes)) : first;
    const text = bytes.subarray(0, end);
    if (!isUtf8(text)) throw notUtf8(text, line);
    line += countLineBreaks(text);
    rest = bytes.subarray(end);
    return text;
  };
}

/** Of a text, from its first character beyond ASCII on. */
const decidingBytes = 4_096;

/**
 * Whether bytes from the first one beyond ASCII on are no UTF-8: a valid character is hardly ever one by chance.
 * @throws FileError when they are no text.
 */
function isWindows1252(bytes: Buffer): boolean {
  const [first = 0] = bytes;
  if (isUtf8(bytes.subarray(0, lengthOfCharacter(first))) || hasMoreValid(bytes)) return false;
  if (isBinary(bytes)) throw new FileError(fileProblem('NO_TEXT'));
  return true;
}

/** Texts have hardly any control characters, but those between lines and cells, and Ctrl-Z at their end. */
function isBinary(bytes: Buffer): boolean {
  const controls = bytes.filter((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a);
  return controls.includes(0) || 50 * controls.length > bytes.length;
}

function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of a character of UTF-8, by its first one. */
const lengthOfCharacter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1);

/** Whether most characters beyond ASCII are valid UTF-8: in Windows-1252 few letters are by chance. */
function hasMoreValid(bytes: Buffer): boolean {
  let [valid, invalid] = [0, 0];
  for (const character of bytes.toString().matchAll(/[^\0-\x7f]/gu)) {
    if (character[0] === '\ufffd') invalid += 1;
    else valid += 1;
  }
  return valid > invalid;
}

/** The characters from 0x80 to 0x9f; the five that it lacks stay control characters, as in browsers. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Own table instead of `TextDecoder`, which some versions of Node.js let take these for Latin-1. */
const fromWindows1252 = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.toString('latin1').replace(/[\x80-\x9f]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80)),
  );

/** Refuses bytes that are no character: U+FFFD, which stands for each of them, would make different names equal. */
function createUnmarkedDecoder(encoding: UnmarkedEncoding): Decoder {
  if (encoding === 'Windows-1252') return fromWindows1252;
  const decoder = new TextDecoder(encoding);
  let line = 1;
  return (bytes, isEnd) => {
    const decoded = decoder.decode(bytes, { stream: !isEnd });
    const text = Buffer.from(decoded);
    const lost = decoded.indexOf('\ufffd');
    if (lost === -1) line += countLineBreaks(text);
    else {
      line += countLineBreaks(Buffer.from(decoded.slice(0, lost)));
      throw new FileError(fileProblem('NOT_IN_ENCODING', { line, encoding }));
    }
    return text;
  };
}

function notUtf8(text: Buffer, firstLine: number): FileError {
  let line = firstLine;
  let start = 0;
  for (let end = text.indexOf(lineBreak); end !== -1; end = text.indexOf(lineBreak, start)) {
    if (!isUtf8(text.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  return new FileError(fileProblem('NOT_UTF_8', { line }));
}

function countLineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}
