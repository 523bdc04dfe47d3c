import { jsonType } from '@service/http/send';
import { type CellValue, writeXlsx, xlsxType } from '@service/tabular/xlsx';
import { stringify } from 'csv-stringify/sync';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import type { Column } from '../columns.ts';
import { explanationsOf } from './explanations.ts';
import { cellsIn, type ExportRow } from './export-catalog.ts';
import { byteOrderMark, withoutFormulas } from './spreadsheet-csv.ts';

type Batches = AsyncIterable<readonly ExportRow[]>;

export type Chunks = AsyncIterableIterator<Buffer>;

interface SerializeOptions {
  /** Counts the rows of all batches, before these are read. */
  readonly countRows: () => Promise<number>;
  readonly escapeFormulas: boolean;
  /** The definitions of attributes. */
  readonly defined: DefinedAttributes;
}

interface Format {
  readonly mediaType: string;
  /** How attributes are written: each in a column of a table, or all in an object. */
  readonly attributes: 'table' | 'objects';
  /** Whether a table has the columns of all attributes that are defined, to be filled. */
  readonly hasDefinedColumns: boolean;
  /** Whether it can be shown on a terminal. */
  readonly isText: boolean;
  /** Whether it has a form for spreadsheets, in which no cell is a formula. */
  readonly escapesFormulas: boolean;
  serialize(batches: Batches, columns: readonly Column[], options: SerializeOptions): Chunks;
}

/** The formats of an export, by the ending of the file's name: all that HTTP and the command line know of one. */
export const formats = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    attributes: 'table',
    hasDefinedColumns: false,
    isText: true,
    escapesFormulas: true,
    serialize: csvChunks,
  },
  json: {
    mediaType: jsonType,
    attributes: 'objects',
    hasDefinedColumns: false,
    isText: true,
    escapesFormulas: false,
    serialize: jsonChunks,
  },
  xlsx: {
    mediaType: xlsxType,
    attributes: 'table',
    hasDefinedColumns: true,
    isText: false,
    escapesFormulas: false,
    serialize: xlsxChunks,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats).filter((name): name is FormatName => name in formats);

/**
 * Serializes as CSV; with `escapeFormulas` for spreadsheets: with a byte order mark, and an apostrophe before cells that
 * they take for formulas.
 */
async function* csvChunks(
  batches: Batches,
  columns: readonly Column[],
  { escapeFormulas }: SerializeOptions,
): AsyncGenerator<Buffer> {
  let header = `${escapeFormulas ? byteOrderMark : ''}${columns.join(',')}\n`;
  const cells = cellsIn(columns);
  const cast = { boolean: (value: boolean) => String(value) };
  for await (const rows of batches) {
    const texts = rows.map((row) => (escapeFormulas ? cells(row).map(withoutFormulas) : cells(row)));
    yield Buffer.from(header + stringify(texts, { cast }));
    header = '';
  }
  if (header !== '') yield Buffer.from(header);
}

async function* jsonChunks(batches: Batches): AsyncGenerator<Buffer> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield Buffer.from(separator + rows.map((row) => JSON.stringify(row)).join(',\n'));
    separator = ',\n';
  }
  yield Buffer.from(separator === ',\n' ? '\n]\n' : '[]\n');
}

async function* xlsxChunks(
  batches: Batches,
  columns: readonly Column[],
  { defined, countRows }: SerializeOptions,
): AsyncGenerator<Buffer> {
  const rows = rowsOf(batches, columns);
  yield* writeXlsx({
    name: 'Catalog',
    columns,
    rowCount: await countRows(),
    rows,
    ...explanationsOf(columns, defined),
  });
}

async function* rowsOf(batches: Batches, columns: readonly Column[]): AsyncGenerator<CellValue[][]> {
  const cells = cellsIn(columns);
  for await (const rows of batches) yield rows.map(cells);
}
