import type { CsvRecord, UnreadableRow } from './columns.ts';
import { type Delimiter, type Dialect, detectDialect } from './csv-dialect.ts';
import { CsvScanner, recordLengthMax } from './csv-scanner.ts';

const usualDialect: Dialect = { delimiter: ',', endsWithCarriageReturn: false };

/**
 * Reads the records of CSV: cells with delimiters between them, as RFC 4180 has it. Empty lines are no records.
 *
 * @param source UTF-8 without a byte order mark, cut between characters.
 * @param delimiter detected in the first line unless given.
 * @throws FileError when a quoted cell does not end.
 */
export async function* readCsvRecords(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter | undefined,
): AsyncGenerator<CsvRecord | UnreadableRow> {
  const scannerOf = (start: string, isWhole: boolean): CsvScanner | undefined => {
    const dialect = detectDialect(start) ?? (isWhole ? usualDialect : undefined);
    return dialect && new CsvScanner({ ...dialect, delimiter: delimiter ?? dialect.delimiter });
  };
  let scanner: CsvScanner | undefined;
  let held = '';
  for await (const chunk of source) {
    const text = held + chunk.toString();
    // A carriage return waits for what follows, which may make one line break of both.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    scanner ??= scannerOf(text.slice(0, end), end > recordLengthMax);
    held = text.slice(scanner === undefined ? 0 : end);
    if (scanner !== undefined) yield* scanner.scan(text.slice(0, end));
  }
  scanner ??= scannerOf(held, false) ?? scannerOf(`${held}\n`, true);
  if (scanner === undefined) return;
  yield* scanner.scan(held === '\r' ? '\r\n' : held);
  yield* scanner.end();
}
