import type { SourceRow, UnreadableRow } from './columns.ts';
import type { Delimiter } from './csv-dialect.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonRows } from './json-rows.ts';
import type { ReadingOptions } from './mapping.ts';
import { readUtf8 } from './utf8.ts';

export interface FileOptions extends ReadingOptions {
  readonly format: 'csv' | 'json';
  /** For CSV; detected when `undefined`. */
  readonly delimiter: Delimiter | undefined;
}

/** @throws FileError when the file cannot be parsed. */
export function readRows(
  bytes: AsyncIterable<Buffer>,
  { format, ...options }: FileOptions,
): AsyncGenerator<SourceRow | UnreadableRow> {
  const text = readUtf8(bytes);
  return format === 'json' ? readJsonRows(text, options) : readCsvRows(text, options);
}
