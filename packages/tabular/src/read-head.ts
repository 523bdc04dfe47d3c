import { readJsonElements } from './json-elements.ts';
import { objectIn, textOf } from './json-rows.ts';
import { type FileOptions, readRows } from './read-rows.ts';
import { columnsMax, type TextRow } from './rows.ts';
import { readText } from './text.ts';

/** The beginning of a table, as a person sees it. */
export interface Head {
  /** The names of its columns, as they are. */
  readonly names: readonly string[];
  /** The line that has them; `null` for JSON. */
  readonly headerRow: number | null;
  /** Rows above the header, of the first twenty. */
  readonly above: readonly TextRow[];
  /** The first rows that can be read, in the order of `names`. */
  readonly rows: readonly TextRow[];
}

/** The columns say which row is the header. */
export interface HeadOptions<Column extends string>
  extends Pick<
    FileOptions<Column>,
    | 'format'
    | 'delimiter'
    | 'encoding'
    | 'sheet'
    | 'columns'
    | 'headerRow'
    | 'skipHidden'
    | 'onEncoding'
    | 'onSheet'
    | 'signal'
  > {
  readonly rowsMax: number;
}

/**
 * Reads the names of all columns and the first rows, not the rest of the file. Keys of JSON rows are columns.
 * @throws FileError when the file cannot be parsed so far.
 */
export async function readHead<Column extends string>(
  bytes: AsyncIterable<Buffer>,
  options: HeadOptions<Column>,
): Promise<Head> {
  return options.format === 'json' ? headOfJson(bytes, options) : headOfTable(bytes, options);
}

async function headOfTable<Column extends string>(
  bytes: AsyncIterable<Buffer>,
  { rowsMax, ...options }: HeadOptions<Column>,
): Promise<Head> {
  let header: Omit<Head, 'rows'> = { names: [], headerRow: null, above: [] };
  const rows: TextRow[] = [];
  const source = readRows(bytes, {
    ...options,
    mapping: new Map(),
    mayLackColumns: true,
    onHeader: (names, headerRow, above) => {
      header = { names, headerRow, above };
    },
    onIgnored: () => undefined,
  });
  for await (const row of source) {
    if (!('unreadable' in row)) rows.push({ line: row.line, texts: row.texts });
    if (rows.length >= rowsMax) break;
  }
  return { ...header, rows };
}

async function headOfJson(
  bytes: AsyncIterable<Buffer>,
  options: Pick<HeadOptions<never>, 'onEncoding' | 'encoding' | 'rowsMax'>,
): Promise<Head> {
  const rows: { readonly line: number; readonly fields: ReadonlyMap<string, unknown> }[] = [];
  for await (const element of readJsonElements(readText(bytes, options.onEncoding, options.encoding))) {
    const row = objectIn(element);
    if (row !== undefined) rows.push({ line: element.line, fields: new Map(Object.entries(row)) });
    if (rows.length >= options.rowsMax) break;
  }
  const names = [...new Set(rows.flatMap(({ fields }) => [...fields.keys()]))].slice(0, columnsMax);
  return {
    names,
    headerRow: null,
    above: [],
    rows: rows.map(({ line, fields }) => ({ line, texts: names.map((name) => textOf(fields.get(name))) })),
  };
}
