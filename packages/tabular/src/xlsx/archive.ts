import { setImmediate } from 'node:timers/promises';
import { excerpt } from '@service/errors';
import { type Entry, fromBufferPromise } from 'yauzl';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';

/** A workbook has some ten, and a few for each sheet and picture. */
const entriesMax = 10_000;
/** Bytes of their names and notes; all of it is kept while the workbook is read. */
const namesBytesMax = 4_000_000;
/** Bytes of all parts that are read, unpacked; a full sheet of a million rows has half of it. */
const unpackedMax = 2_147_483_648;
/** A full sheet of equal rows has a ratio below 200; a bomb of DEFLATE has up to 1,032. */
const ratioMax = 400;
/** Small files may have any ratio. */
const smallBytes = 16_777_216;

/** The most that packed bytes may become. */
const grownMax = (packedBytes: number): number => Math.max(smallBytes, ratioMax * packedBytes);

const zipMark = Buffer.from('PK');
const oleMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** The parts of a workbook, by their names in any letter case. */
export interface Archive {
  has(name: string): boolean;
  /** What it may grow to, in bytes or characters: as a whole, and in its cells, which may all show one text. */
  readonly sizeMax: number;
  /** Unpacks a part in chunks, with a turn of the event loop after each. @throws FileError beyond the limits. */
  read(name: string, bytesMax?: number): AsyncGenerator<Buffer>;
}

/** @throws FileError for a file that is no archive, is damaged, protected by a password or larger than the limits. */
export async function openArchive(file: Buffer, signal?: AbortSignal): Promise<Archive> {
  if (file.length === 0) throw new FileError(fileProblem('EMPTY_FILE'));
  if (file.subarray(0, oleMark.length).equals(oleMark)) {
    throw new FileError(fileProblem('PROTECTED'));
  }
  if (!file.subarray(0, zipMark.length).equals(zipMark)) throw new FileError(fileProblem('NO_WORKBOOK'));
  const { zip, entries } = await withDamage(() => entriesOf(withWholeComment(file)));
  /** The most that has been read of each part, which may be read again. */
  const read = new Map<Entry, number>();
  let unpacked = 0;
  return {
    has: (name) => entries.has(name.toLowerCase()),
    sizeMax: Math.min(unpackedMax, grownMax(file.length)),
    async *read(name, bytesMax = unpackedMax) {
      const entry = entries.get(name.toLowerCase());
      if (entry === undefined) throw new FileError(fileProblem('NO_WORKBOOK'));
      if (entry.isEncrypted()) throw new FileError(fileProblem('ENCRYPTED'));
      const chunks = (await withDamage(() => zip.openReadStreamPromise(entry)))[Symbol.asyncIterator]();
      let bytes = 0;
      try {
        for (;;) {
          const { value, done } = await withDamage<IteratorResult<Buffer>>(() => chunks.next());
          if (done === true) return;
          signal?.throwIfAborted();
          bytes += value.length;
          const more = bytes - (read.get(entry) ?? 0);
          if (more > 0) {
            read.set(entry, bytes);
            unpacked += more;
          }
          if (bytes > grownMax(entry.compressedSize) || bytes > bytesMax || unpacked > unpackedMax) {
            throw new FileError(
              fileProblem('WORKBOOK_TOO_LARGE', {
                what: `The workbook is too large when it is unpacked, in ${excerpt(entry.fileName)}`,
              }),
            );
          }
          yield value;
          await setImmediate();
        }
      } finally {
        await chunks.return?.();
      }
    },
  };
}

const endMark = Buffer.from('PK\u0005\u0006');
const endBytes = 22;
const commentMax = 65_535;

/** Ends the archive with a whole comment: one that was cut off, or followed by more, does no harm. */
function withWholeComment(file: Buffer): Buffer {
  const end = file.lastIndexOf(endMark);
  const length = file.length - end - endBytes;
  if (end === -1 || length < 0) return file;
  const whole = file.subarray(0, end + endBytes + Math.min(length, commentMax));
  whole.writeUInt16LE(Math.min(length, commentMax), end + endBytes - 2);
  return whole;
}

async function entriesOf(file: Buffer) {
  const zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false });
  if (zip.entryCount > entriesMax) {
    throw new FileError(
      fileProblem('WORKBOOK_TOO_LARGE', {
        what: `The workbook has more than ${entriesMax.toLocaleString('en-US')} parts`,
      }),
    );
  }
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (bytes > namesBytesMax)
      throw new FileError(
        fileProblem('WORKBOOK_TOO_LARGE', { what: 'The names of the parts of the workbook are too long' }),
      );
    entries.set(entry.fileName.toLowerCase(), entry);
  }
  return { zip, entries };
}

/** The messages of the libraries are for developers. */
export const damaged = (cause: unknown): FileError => new FileError(fileProblem('DAMAGED'), { cause });

async function withDamage<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (problem) {
    throw problem instanceof FileError ? problem : damaged(problem);
  }
}
