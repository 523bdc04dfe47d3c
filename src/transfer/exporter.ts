import type { ProgramFilter } from '../academics/program-list.ts';
import { ServiceError } from '../errors.ts';
import { columnsOf, readCatalog } from './export-catalog.ts';
import { csvTexts, jsonTexts } from './export-texts.ts';
import { inTransaction, type TransactionOptions } from './transaction.ts';

/** Each has a connection, and a snapshot that keeps old row versions from being removed. */
const concurrentMax = 4;
/** A slow reader would otherwise hold its snapshot for ever. */
const exportTimeoutMs = 900_000;
const retryAfterSeconds = 5;
const connectTimeoutMs = 1_200;

export interface ExportRequest {
  readonly filter: ProgramFilter;
  readonly format: 'csv' | 'json';
  readonly escapeFormulas: boolean;
}

type Texts = AsyncIterableIterator<string>;

/** Exports programs and their branches as of one moment, at the pace at which `send` takes the texts of the file. */
export function exportSnapshot(
  connection: Omit<TransactionOptions, 'mode'>,
  { filter, format, escapeFormulas }: ExportRequest,
  send: (texts: Texts) => Promise<void>,
): Promise<void> {
  return inTransaction({ ...connection, mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY' }, async (client) => {
    const columns = await columnsOf(client, filter);
    const batches = readCatalog(client, columns, filter);
    await send(format === 'json' ? jsonTexts(batches) : csvTexts(batches, columns, escapeFormulas));
  });
}

/**
 * Exports as `exportSnapshot` does.
 * @throws ServiceError `UNAVAILABLE` during too many exports; errors of the database, of the signal and of `send`.
 */
export type ExportCatalog = (
  request: ExportRequest,
  signal: AbortSignal,
  send: (texts: Texts, signal: AbortSignal) => Promise<void>,
) => Promise<void>;

/** Creates the exports of a running service, on dedicated connections without its statement timeouts. */
export function createExporter(url: string): ExportCatalog {
  let running = 0;
  return async (request, left, send) => {
    if (running >= concurrentMax) {
      throw new ServiceError('UNAVAILABLE', 'Too many exports are running. Please try again.', { retryAfterSeconds });
    }
    running += 1;
    const signal = AbortSignal.any([left, AbortSignal.timeout(exportTimeoutMs)]);
    try {
      await exportSnapshot({ url, connectTimeoutMs, signal }, request, (texts) => send(texts, signal));
    } finally {
      running -= 1;
    }
  };
}
