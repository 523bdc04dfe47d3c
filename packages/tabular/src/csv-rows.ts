import { setImmediate } from 'node:timers/promises';
import { type Delimiter, type Dialect, detectDialect } from './csv-dialect.ts';
import { type CsvRecord, CsvScanner } from './csv-scanner.ts';
import { FileError } from './errors.ts';
import { rowOf, rowsBelowHeader } from './header.ts';
import { type ReadingOptions, rowLengthMax, type SourceRow, type UnreadableRow } from './rows.ts';

const partLength = 16_384;

const separated = ', separated by commas, semicolons or tabs';

const countOf = ({ length }: readonly string[]): string => (length === 1 ? '1 cell' : `${length} cells`);

const defaultDialect: Dialect = { delimiter: ',', endsWithCarriageReturn: false };

/**
 * Reads the rows of UTF-8 CSV without a byte order mark; its header names the columns in any order.
 * @throws FileError when a required column is missing, or a quoted cell is not closed.
 */
export async function* readCsvRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column> & { readonly delimiter: Delimiter | undefined },
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  let isEmpty = true;
  async function* candidates() {
    for await (const record of readCsvRecords(source, options.delimiter)) {
      const isReadable = !('unreadable' in record);
      if (isReadable && record.cells.every((cell) => cell.trim() === '')) continue;
      isEmpty = false;
      yield { line: record.line, texts: isReadable ? record.cells : [], record };
    }
  }
  for await (const { header, row } of rowsBelowHeader(candidates(), options, separated)) {
    const { line, record } = row;
    if ('unreadable' in record) yield record;
    else if (record.cells.length === header.length) yield rowOf(header, line, record.cells);
    else yield { ...record, unreadable: `has ${countOf(record.cells)} where the first row has ${header.length}` };
  }
  if (isEmpty) throw new FileError('The file is empty: it has no header row.');
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
    const dialect = detectDialect(start, isWhole) ?? (isWhole ? defaultDialect : undefined);
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
