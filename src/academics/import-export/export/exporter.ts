import { createPlaces } from '@service/http/places';
import { RawConnection } from '@service/postgres/sql';
import { inTransaction, type TransactionOptions } from '@service/postgres/transaction';
import { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import { listDefinitions } from '../../definitions/definitions.ts';
import { stateAt } from '../../editions/catalog-state.ts';
import type { CatalogPoint } from '../../editions/points.ts';
import { shadowTables } from '../../editions/shadowed-tables.ts';
import type { ExportedList } from '../../rules/lists.ts';
import { definedColumns } from './explanations.ts';
import { countedYears, countRows, exportedColumns, readCatalog, searchedFilter } from './export-catalog.ts';
import { type Chunks, type FormatName, formats } from './formats.ts';

/** Limit, since each export has a connection, and a snapshot that keeps old row versions from being removed. */
const concurrentMax = 4;
/** A slow reader would otherwise hold its snapshot for ever. */
const exportTimeoutMs = 900_000;
const connectTimeoutMs = 1_200;

export interface ExportRequest extends ExportedList {
  readonly format: FormatName;
  /** The state of the catalog; the present one by default. */
  readonly point?: CatalogPoint | undefined;
  /** Writes CSV for spreadsheets: without formulas, and with a byte order mark. */
  readonly escapeFormulas: boolean;
}

/** Number of rows that have been serialized. */
export interface ExportProgress {
  records: number;
}

/** Sends the chunks of a file; `signal` ends it. */
export type SendChunks = (chunks: Chunks, progress: Readonly<ExportProgress>, signal: AbortSignal) => Promise<void>;

/** Exports programs and their branches as of one moment, at the pace at which `send` takes the chunks of the file. */
export function exportSnapshot(
  connection: Omit<TransactionOptions, 'mode'>,
  { format, escapeFormulas, point = { now: true }, ...list }: ExportRequest,
  send: (chunks: Chunks, progress: Readonly<ExportProgress>) => Promise<void>,
): Promise<void> {
  const isPresent = 'now' in point;
  const mode = `ISOLATION LEVEL REPEATABLE READ${isPresent ? ' READ ONLY' : ''}` as const;
  return inTransaction({ ...connection, mode }, async (client) => {
    if (!isPresent) await shadowTables(client, await stateAt(client, point, 'asOf'));
    const searched = { ...list, filter: await searchedFilter(client, list.filter) };
    const { attributes, hasDefinedColumns, serialize } = formats[format];
    // Earlier states are shown as they were, and were not defined by what is defined now.
    const db = new RawConnection({ connection: client });
    const defined = new DefinedAttributes(isPresent && hasDefinedColumns ? await listDefinitions(db) : []);
    const columns = await exportedColumns(client, searched, attributes, definedColumns(defined));
    const progress = { records: 0 };
    // Earlier states have it as a column: counting them branch by branch would take most of the time.
    const years = isPresent ? countedYears : 'b.years';
    const batches = counted(readCatalog(client, columns, searched, years), progress);
    const options = { escapeFormulas, defined, countRows: () => countRows(client, searched) };
    await send(serialize(batches, columns, options), progress);
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
