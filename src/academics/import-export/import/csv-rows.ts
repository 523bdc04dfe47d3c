import type { Delimiter } from '@service/tabular/csv-dialect';
import { readCsvRecords } from '@service/tabular/csv-records';
import { FileError } from '@service/tabular/errors';
import {
  type Column,
  type CsvRecord,
  columnNamed,
  columnsMax,
  requiredColumns,
  type SourceRow,
  type UnreadableRow,
} from '../columns.ts';
import { normalizedName, type ReadingOptions, requireMapped } from './mapping.ts';

/**
 * Reads the rows of UTF-8 CSV without a byte order mark; its header names the columns in any order.
 * @throws FileError when a required column is missing, or a quoted cell is not closed.
 */
export async function* readCsvRows(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions & { readonly delimiter: Delimiter | undefined },
): AsyncGenerator<SourceRow | UnreadableRow> {
  let header: Header | undefined;
  for await (const record of readCsvRecords(source, options.delimiter)) {
    const isReadable = !('unreadable' in record);
    if (isReadable && record.cells.every((cell) => cell.trim() === '')) continue;
    if (header === undefined) header = headerOf(isReadable ? record.cells : [], options);
    else yield isReadable ? rowOf(header, record) : record;
  }
  if (header === undefined) throw new FileError('The file is empty: it has no header row.');
}

type Header = readonly (Column | undefined)[];

function headerOf(names: readonly string[], { mapping, onHeader, onIgnored }: ReadingOptions): Header {
  if (names.length > columnsMax) throw new FileError(`The first row has more than ${columnsMax} columns.`);
  const header = names.map((name) => mapping.get(normalizedName(name)) ?? columnNamed(name));
  requireMapped(mapping, names);
  const missing = requiredColumns.filter((column) => !header.includes(column));
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

function rowOf(header: Header, { line, cells }: CsvRecord): SourceRow | UnreadableRow {
  if (cells.length !== header.length) {
    const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    return { line, cells, unreadable: `has ${count} where the first row has ${header.length}` };
  }
  const named: Partial<Record<Column, string>> = {};
  for (const [index, column] of header.entries()) if (column !== undefined) named[column] = cells[index] ?? '';
  return { line, cells: named, texts: cells };
}
