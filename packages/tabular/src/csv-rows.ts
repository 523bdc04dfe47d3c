import { setImmediate } from 'node:timers/promises';
import { type Delimiter, type Dialect, detectDialect } from './csv-dialect.ts';
import { type CsvRecord, CsvScanner } from './csv-scanner.ts';
import { FileError } from './errors.ts';
import {
  columnsMax,
  normalizedName,
  type ReadingOptions,
  rowLengthMax,
  type SourceRow,
  type UnreadableRow,
} from './rows.ts';

const partLength = 16_384;

const defaultDialect: Dialect = { delimiter: ',', endsWithCarriageReturn: false };

/**
 * Reads the rows of UTF-8 CSV without a byte order mark; its header names the columns in any order.
 * @throws FileError when a required column is missing, or a quoted cell is not closed.
 */
export async function* readCsvRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column> & { readonly delimiter: Delimiter | undefined },
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  let header: Header<Column> | undefined;
  for await (const record of readCsvRecords(source, options.delimiter)) {
    const isReadable = !('unreadable' in record);
    if (isReadable && record.cells.every((cell) => cell.trim() === '')) continue;
    if (header === undefined) header = headerOf(isReadable ? record.cells : [], options);
    else yield isReadable ? rowOf(header, record) : record;
  }
  if (header === undefined) throw new FileError('The file is empty: it has no header row.');
}

type Header<Column extends string> = readonly (Column | undefined)[];

function headerOf<Column extends string>(
  names: readonly string[],
  { columns, mapping, onHeader, onIgnored }: ReadingOptions<Column>,
): Header<Column> {
  if (names.length > columnsMax) throw new FileError(`The first row has more than ${columnsMax} columns.`);
  const normalized = names.map(normalizedName);
  const header = normalized.map((name) => mapping.get(name) ?? columns.known.find((column) => column === name));
  const unmapped = [...mapping.keys()].filter((name) => !normalized.includes(name));
  if (unmapped.length > 0) throw new FileError(`The first row has no column ${unmapped.join(', nor ')}.`);
  const missing = columns.required.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FileError(
      `The first row must name the columns, separated by commas, semicolons or tabs; missing: ${missing.join(', ')}.`,
    );
  }
  const repeated = header.find((column, index) => column !== undefined && header.indexOf(column) !== index);
  if (repeated !== undefined) throw new FileError(`The first row names the column ${repeated} twice.`);
  const ignored = names.filter((name, index) => name.trim() !== '' && header[index] === undefined);
  if (ignored.length > 0) onIgnored(ignored.map((name) => name.trim()));
  onHeader(names);
  return header;
}

function rowOf<Column extends string>(
  header: Header<Column>,
  { line, cells }: CsvRecord,
): SourceRow<Column> | UnreadableRow {
  if (cells.length !== header.length) {
    const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    return { line, cells, unreadable: `has ${count} where the first row has ${header.length}` };
  }
  const named: Partial<Record<Column, string>> = {};
  for (const [index, column] of header.entries()) if (column !== undefined) named[column] = cells[index] ?? '';
  return { line, cells: named, texts: cells };
}

/**
 * Parses CSV records (RFC 4180) of UTF-8 without a byte order mark, in chunks that do not split characters.
 * @throws FileError when a quoted cell is not closed.
 */
async function* readCsvRecords(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter | undefined,
): AsyncGenerator<CsvRecord | UnreadableRow> {
  const scannerOf = (start: string, isWhole: boolean): CsvScanner | undefined => {
    const dialect = detectDialect(start) ?? (isWhole ? defaultDialect : undefined);
    return dialect && new CsvScanner({ ...dialect, delimiter: delimiter ?? dialect.delimiter });
  };
  let scanner: CsvScanner | undefined;
  let buffered = '';
  for await (const chunk of source) {
    const text = buffered + chunk.toString();
    // A trailing carriage return may be half of a Windows line break.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    scanner ??= scannerOf(text.slice(0, end), end > rowLengthMax);
    buffered = text.slice(scanner === undefined ? 0 : end);
    if (scanner !== undefined) yield* scanInTurns(scanner, text.slice(0, end));
  }
  scanner ??= scannerOf(buffered, false) ?? scannerOf(`${buffered}\n`, true);
  if (scanner === undefined) return;
  yield* scanInTurns(scanner, buffered === '\r' ? '\r\n' : buffered);
  yield* scanner.end();
}

/** The text before the end of the first line may be long: the event loop turns after each part of it. */
async function* scanInTurns(scanner: CsvScanner, text: string): AsyncGenerator<CsvRecord | UnreadableRow> {
  for (let start = 0; start < text.length; ) {
    let end = start + partLength;
    if (text[end - 1] === '\r') end += 1;
    yield* scanner.scan(text.slice(start, end));
    start = end;
    if (start < text.length) await setImmediate();
  }
}
