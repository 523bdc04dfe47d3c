import { readJsonElements } from './json-elements.ts';
import { parseElement, textOf } from './json-rows.ts';
import { type FileOptions, readRows } from './read-rows.ts';
import { columnsMax } from './rows.ts';
import { readText } from './text.ts';

/** What a person sees first of a table. */
export interface Head {
  /** The names of its columns, as they are. */
  readonly names: readonly string[];
  /** The first rows that can be read. */
  readonly rows: readonly HeadRow[];
}

interface HeadRow {
  readonly line: number;
  /** In the order of `names`. */
  readonly texts: readonly string[];
}

export interface HeadOptions
  extends Pick<FileOptions<never>, 'format' | 'delimiter' | 'encoding' | 'sheet' | 'onEncoding' | 'onSheet'> {
  readonly rowsMax: number;
}

/**
 * Reads the names of all columns, whatever they are, and the first rows; the rest of the file is not read. The columns of
 * JSON are the keys of those rows.
 * @throws FileError when the file cannot be parsed so far.
 */
export async function readHead(bytes: AsyncIterable<Buffer>, options: HeadOptions): Promise<Head> {
  return options.format === 'json' ? headOfJson(bytes, options) : headOfTable(bytes, options);
}

async function headOfTable(bytes: AsyncIterable<Buffer>, { rowsMax, ...options }: HeadOptions): Promise<Head> {
  let names: readonly string[] = [];
  const rows: HeadRow[] = [];
  const source = readRows<never>(bytes, {
    ...options,
    columns: { known: [], required: [] },
    mapping: new Map<string, never>(),
    onHeader: (given) => {
      names = given;
    },
    onIgnored: () => undefined,
  });
  for await (const row of source) {
    if (!('unreadable' in row)) rows.push({ line: row.line, texts: row.texts });
    if (rows.length >= rowsMax) break;
  }
  return { names, rows };
}

async function headOfJson(bytes: AsyncIterable<Buffer>, options: HeadOptions): Promise<Head> {
  const rows: { readonly line: number; readonly fields: ReadonlyMap<string, unknown> }[] = [];
  for await (const element of readJsonElements(readText(bytes, options.onEncoding, options.encoding))) {
    const row = parseElement(element);
    const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
    if (isRow) rows.push({ line: element.line, fields: new Map(Object.entries(row)) });
    if (rows.length >= options.rowsMax) break;
  }
  const names = [...new Set(rows.flatMap(({ fields }) => [...fields.keys()]))].slice(0, columnsMax);
  return {
    names,
    rows: rows.map(({ line, fields }) => ({ line, texts: names.map((name) => textOf(fields.get(name))) })),
  };
}
