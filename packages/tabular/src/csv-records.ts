import { type CsvRecord, rowLengthMax, type UnreadableRow } from '../../../src/academics/import-export/columns.ts';
import { type Delimiter, type Dialect, detectDialect } from './csv-dialect.ts';
import { CsvScanner } from './csv-scanner.ts';

const defaultDialect: Dialect = { delimiter: ',', endsWithCarriageReturn: false };

/**
 * Parses CSV records (RFC 4180) of UTF-8 without a byte order mark, in chunks that do not split characters.
 * @throws FileError when a quoted cell is not closed.
 */
export async function* readCsvRecords(
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
    if (scanner !== undefined) yield* scanner.scan(text.slice(0, end));
  }
  scanner ??= scannerOf(buffered, false) ?? scannerOf(`${buffered}\n`, true);
  if (scanner === undefined) return;
  yield* scanner.scan(buffered === '\r' ? '\r\n' : buffered);
  yield* scanner.end();
}
