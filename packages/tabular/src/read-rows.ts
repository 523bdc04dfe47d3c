import type { Delimiter } from './csv-dialect.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonRows } from './json-rows.ts';
import type { ReadingOptions, SourceRow, UnreadableRow } from './rows.ts';
import { readUtf8 } from './utf8.ts';

export interface FileOptions<Column extends string> extends ReadingOptions<Column> {
  readonly format: 'csv' | 'json';
  /** For CSV; detected when `undefined`. */
  readonly delimiter: Delimiter | undefined;
}

/** @throws FileError when the file cannot be parsed. */
export function readRows<Column extends string>(
  bytes: AsyncIterable<Buffer>,
  { format, ...options }: FileOptions<Column>,
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const text = readUtf8(bytes);
  return format === 'json' ? readJsonRows(text, options) : readCsvRows(text, options);
}
