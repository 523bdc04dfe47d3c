import { pipeline } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import type { UnreadableRow } from './columns.ts';
import { FileError } from './errors.ts';
import { createLineFinder } from './lines.ts';

/** Characters of a record, at most: far more than one that can be imported has, and little enough to hold. */
const recordLengthMax = 1_000_000;

/** Errors that leave no way to tell where the next record begins. */
const endlessCodes = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']);

/** The cells of a record, and the line that it begins on. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** What there is to know of a record beside its cells. */
interface Place {
  /** Offset of the first byte after it. */
  readonly end: number;
  /** What was wrong before it: text that is no record was left out there. */
  readonly broken: CsvError | undefined;
}

/**
 * Reads the records of CSV: cells with commas between them, as RFC 4180 has it. Empty lines are no records.
 *
 * @param source UTF-8 without a byte order mark.
 * @throws FileError when a quoted cell does not end.
 */
export async function* readCsvRecords(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord | UnreadableRow> {
  const lines = createLineFinder();
  /** Of the records that the parser has read ahead of us, in their order. */
  const places: Place[] = [];
  let broken: CsvError | undefined;
  let isEndless = false;

  const parser = parse({
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: recordLengthMax,
    on_record: (cells, { bytes: end }) => {
      if (isEndless) return null;
      places.push({ end, broken });
      broken = undefined;
      return cells;
    },
    on_skip: (error) => {
      broken ??= error;
      isEndless ||= error !== undefined && endlessCodes.has(error.code);
      return undefined;
    },
  });

  async function* feed(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      if (isEndless) return;
      lines.add(chunk);
      yield chunk;
    }
  }
  // What goes wrong there comes out of the parser, where it is awaited.
  pipeline(feed(), parser, () => undefined);

  let lastLine = 0;
  for await (const record of parser) {
    const cells: readonly string[] = record;
    const place = places.shift();
    if (place === undefined) throw new Error('A record came out of the parser that had not gone through it.');
    const endLine = lines.lineOf(place.end - 1);
    const line = endLine - lineBreaksIn(cells);
    if (place.broken !== undefined) yield unreadable(lastLine + 1, line - 1, place.broken);
    yield { line, cells };
    lastLine = endLine;
  }
  if (isEndless) throw new FileError(`Line ${lastLine + 1}: a quoted cell begins there that does not end.`);
  if (broken !== undefined) yield unreadable(lastLine + 1, lines.lastLine(), broken);
}

function unreadable(line: number, lastLine: number, error: CsvError): UnreadableRow {
  const what =
    error.code === 'CSV_INVALID_CLOSING_QUOTE'
      ? 'text follows the closing quote of a cell'
      : 'there is a quote inside a cell that does not begin with one';
  const range = lastLine > line ? `, with the lines up to ${lastLine}` : '';
  return { line, unreadable: `cannot be read${range}: ${what}` };
}

function lineBreaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  }
  return count;
}
