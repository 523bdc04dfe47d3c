import { type Column, isColumn, requiredColumns, type SourceRow, type UnreadableRow } from './columns.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';
import { FileError } from './errors.ts';

/**
 * Reads the rows of a CSV table, whose first row names its columns, in any order. Rows without any text are no rows.
 *
 * @param source UTF-8 without a byte order mark.
 * @param onIgnored gets the names of columns that mean nothing here, if there are any.
 * @throws FileError when there is no telling what the rows are: a required column is missing, or a quoted cell
 *   does not end.
 */
export async function* readCsvRows(
  source: AsyncIterable<Buffer>,
  onIgnored: (names: readonly string[]) => void,
): AsyncGenerator<SourceRow | UnreadableRow> {
  let header: Header | undefined;
  for await (const record of readCsvRecords(source)) {
    if (header === undefined) header = headerOf('unreadable' in record ? [] : record.cells, onIgnored);
    else if ('unreadable' in record) yield record;
    else if (record.cells.some((cell) => cell.trim() !== '')) yield rowOf(header, record);
  }
  if (header === undefined) throw new FileError('The file has no rows, not even one that names its columns.');
}

/** The columns by position; `undefined` where one means nothing here. */
type Header = readonly (Column | undefined)[];

function headerOf(names: readonly string[], onIgnored: (names: readonly string[]) => void): Header {
  const normalized = names.map((name) => name.trim().toLowerCase());
  const header = normalized.map((name) => (isColumn(name) ? name : undefined));
  const missing = requiredColumns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FileError(
      `The first row must name the columns, with commas between them; missing: ${missing.join(', ')}.`,
    );
  }
  const repeated = header.find((column, index) => column !== undefined && header.indexOf(column) !== index);
  if (repeated !== undefined) throw new FileError(`The first row names the column ${repeated} twice.`);
  const ignored = normalized.filter((name) => name !== '' && !isColumn(name));
  if (ignored.length > 0) onIgnored(ignored);
  return header;
}

function rowOf(header: Header, { line, cells }: CsvRecord): SourceRow | UnreadableRow {
  if (cells.length !== header.length) {
    const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    return { line, unreadable: `has ${count} where the first row has ${header.length}` };
  }
  const named: Partial<Record<Column, string>> = {};
  for (const [index, column] of header.entries()) if (column !== undefined) named[column] = cells[index] ?? '';
  return { line, cells: named };
}
