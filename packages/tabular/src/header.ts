import { FileError } from './errors.ts';
import { columnOf, columnsMax, normalizedName, type ReadingOptions, type SourceRow } from './rows.ts';

/** The column of each cell of a row; `undefined` for cells that are ignored. */
export type Header<Column extends string> = readonly (Column | undefined)[];

/**
 * Reads the first row, which names the columns in any order.
 * @param separated how the message about a missing column says that cells are separated, if at all.
 * @throws FileError for a missing or repeated column, and for too many.
 */
export function headerOf<Column extends string>(
  names: readonly string[],
  { columns, mapping, onHeader, onIgnored }: ReadingOptions<Column>,
  separated: string,
): Header<Column> {
  if (names.length > columnsMax) throw new FileError(`The first row has more than ${columnsMax} columns.`);
  const normalized = names.map(normalizedName);
  const header = names.map((name) => columnOf(name, { columns, mapping }));
  const unmapped = [...mapping.keys()].filter((name) => !normalized.includes(name));
  if (unmapped.length > 0) throw new FileError(`The first row has no column ${unmapped.join(', nor ')}.`);
  const missing = columns.required.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FileError(`The first row must name the columns${separated}; missing: ${missing.join(', ')}.`);
  }
  const repeated = header.find((column, index) => column !== undefined && header.indexOf(column) !== index);
  if (repeated !== undefined) throw new FileError(`The first row names the column ${repeated} twice.`);
  const ignored = names.filter((name, index) => name.trim() !== '' && header[index] === undefined);
  if (ignored.length > 0) onIgnored(ignored.map((name) => name.trim()));
  onHeader(names);
  return header;
}

/** A row of as many cells as the header. */
export function rowOf<Column extends string>(
  header: Header<Column>,
  line: number,
  texts: readonly string[],
): SourceRow<Column> {
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of header.entries()) if (column !== undefined) cells[column] = texts[index] ?? '';
  return { line, cells, texts };
}
