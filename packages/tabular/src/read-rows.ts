import type { Delimiter } from './csv-dialect.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonRows } from './json-rows.ts';
import type { ReadingOptions, SourceRow, UnreadableRow } from './rows.ts';
import { type ChoosableEncoding, readText } from './text.ts';
import { readXlsxRows } from './xlsx/rows.ts';

export interface FileOptions<Column extends string> extends ReadingOptions<Column> {
  readonly format: 'csv' | 'json' | 'xlsx';
  /** The delimiter of CSV; detected when `undefined`. */
  readonly delimiter: Delimiter | undefined;
  /** The encoding of text; recognized when `undefined`. */
  readonly encoding: ChoosableEncoding | undefined;
  /** The sheet of a workbook, in any letter case; the first visible one when `undefined`. */
  readonly sheet: string | undefined;
}

/** @throws FileError when the file cannot be parsed. */
export function readRows<Column extends string>(
  bytes: AsyncIterable<Buffer>,
  { format, ...options }: FileOptions<Column>,
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  if (format === 'xlsx') return readXlsxRows(bytes, options);
  const text = readText(bytes, options.onEncoding, options.encoding);
  return format === 'json' ? readJsonRows(text, options) : readCsvRows(text, options);
}
