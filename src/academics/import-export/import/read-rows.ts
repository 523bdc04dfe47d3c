import type { Delimiter } from '@service/tabular/csv-dialect';
import { readUtf8 } from '@service/tabular/utf8';
import type { SourceRow, UnreadableRow } from '../columns.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonRows } from './json-rows.ts';
import type { ReadingOptions } from './mapping.ts';

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
