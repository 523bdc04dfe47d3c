import { createPlaces } from '@service/http/places';
import { inTransaction, type TransactionOptions } from '@service/postgres/transaction';
import { type CellValue, writeXlsx } from '@service/tabular/xlsx';
import { stringify } from 'csv-stringify/sync';
import type { ExportedList } from '../../rules/lists.ts';
import type { Column } from '../columns.ts';
import { cellsIn, type ExportRow, exportedColumns, readCatalog, searchedFilter } from './export-catalog.ts';
import { byteOrderMark, withoutFormulas } from './spreadsheet-csv.ts';

/** Limit, since each export has a connection, and a snapshot that keeps old row versions from being removed. */
const concurrentMax = 4;
/** A slow reader would otherwise hold its snapshot for ever. */
const exportTimeoutMs = 900_000;
const connectTimeoutMs = 1_200;

export interface ExportRequest extends ExportedList {
  readonly format: 'csv' | 'json' | 'xlsx';
  /** Writes CSV for spreadsheets: without formulas, and with a byte order mark. */
  readonly escapeFormulas: boolean;
}

/** Number of rows that have been serialized. */
export interface ExportProgress {
  records: number;
}

type Chunks = AsyncIterableIterator<Buffer>;

/** Sends the chunks of a file; `signal` ends it. */
export type SendChunks = (chunks: Chunks, progress: Readonly<ExportProgress>, signal: AbortSignal) => Promise<void>;

/** Exports programs and their branches as of one moment, at the pace at which `send` takes the chunks of the file. */
export function exportSnapshot(
  connection: Omit<TransactionOptions, 'mode'>,
  { format, escapeFormulas, ...list }: ExportRequest,
  send: (chunks: Chunks, progress: Readonly<ExportProgress>) => Promise<void>,
): Promise<void> {
  return inTransaction({ ...connection, mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY' }, async (client) => {
    const searched = { ...list, filter: await searchedFilter(client, list.filter) };
    const columns = await exportedColumns(client, searched, format === 'json' ? 'objects' : 'table');
    const progress = { records: 0 };
    const batches = counted(readCatalog(client, columns, searched), progress);
    await send(serializers[format](batches, columns, escapeFormulas), progress);
  });
}

async function* counted<Batch extends readonly unknown[]>(
  batches: AsyncIterable<Batch>,
  progress: ExportProgress,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    progress.records += batch.length;
    yield batch;
  }
}

type Batches = AsyncIterable<readonly ExportRow[]>;

/**
 * Serializes as CSV; with `escapeFormulas` for spreadsheets: with a byte order mark, and an apostrophe before cells that
 * they take for formulas.
 */
async function* csvChunks(
  batches: Batches,
  columns: readonly Column[],
  escapeFormulas: boolean,
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

async function* rowsOf(batches: Batches, columns: readonly Column[]): AsyncGenerator<CellValue[][]> {
  const cells = cellsIn(columns);
  for await (const rows of batches) yield rows.map(cells);
}

const serializers: Readonly<
  Record<ExportRequest['format'], (batches: Batches, columns: readonly Column[], escapeFormulas: boolean) => Chunks>
> = {
  csv: csvChunks,
  json: jsonChunks,
  xlsx: (batches, columns) => writeXlsx({ name: 'Catalog', columns, rows: rowsOf(batches, columns) }),
};

export interface ExportOptions {
  /** Names the caller: each has one export at a time. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/**
 * Exports as `exportSnapshot` does.
 * @throws ServiceError `RATE_LIMITED` during another export of the caller, `UNAVAILABLE` during too many; errors of the
 *   database, of the signal and of `send`.
 */
export type ExportCatalog = (request: ExportRequest, options: ExportOptions, send: SendChunks) => Promise<void>;

/** Creates the exports of a running service, on dedicated connections without its statement timeouts. */
export function createExporter(url: string): ExportCatalog {
  const places = createPlaces({ placesMax: concurrentMax, one: 'an export', many: 'exports' });
  return async (request, { caller, signal: left }, send) => {
    const leave = places.take(caller);
    const signal = AbortSignal.any([left, AbortSignal.timeout(exportTimeoutMs)]);
    try {
      const connection = { url, connectTimeoutMs, signal };
      await exportSnapshot(connection, request, (chunks, progress) => send(chunks, progress, signal));
    } finally {
      leave();
    }
  };
}
