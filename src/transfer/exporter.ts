import type { ProgramFilter } from '../academics/program-list.ts';
import { ServiceError } from '../errors.ts';
import { columnsOf, readCatalog } from './export-catalog.ts';
import { csvTexts, jsonTexts } from './export-texts.ts';
import { inTransaction } from './transaction.ts';

/** Each has a connection, and a snapshot that keeps old row versions from being removed. */
const concurrentMax = 4;
/** Time for an export; a slow reader would keep its snapshot for ever. */
const exportTimeoutMs = 900_000;
const retryAfterSeconds = 5;
/** As long as a request waits for a connection of the pool. */
const connectTimeoutMs = 1_200;

/** What to export, and how. */
export interface ExportRequest {
  readonly filter: ProgramFilter;
  readonly format: 'csv' | 'json';
  readonly escapeFormulas: boolean;
}

/**
 * Exports programs and their branches as of one moment.
 *
 * @param signal ends the export early.
 * @param send gets the content, a few hundred rows at a time, at the pace at which it is read.
 * @throws ServiceError `UNAVAILABLE` when too many exports are running; errors of the database, of the signal and of `send`.
 */
export type ExportCatalog = (
  request: ExportRequest,
  signal: AbortSignal,
  send: (texts: AsyncIterableIterator<string>, signal: AbortSignal) => Promise<void>,
) => Promise<void>;

/**
 * Creates the exports of a running service, on connections of their own and without the limits of other statements.
 *
 * @param url contains a password.
 */
export function createExporter(url: string): ExportCatalog {
  let running = 0;
  return async ({ filter, format, escapeFormulas }, left, send) => {
    if (running >= concurrentMax) {
      throw new ServiceError('UNAVAILABLE', 'Too many exports are running. Please try again.', { retryAfterSeconds });
    }
    running += 1;
    const signal = AbortSignal.any([left, AbortSignal.timeout(exportTimeoutMs)]);
    const mode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
    try {
      await inTransaction({ url, mode, connectTimeoutMs, signal }, async (client) => {
        const columns = await columnsOf(client, filter);
        const batches = readCatalog(client, columns, filter);
        await send(format === 'json' ? jsonTexts(batches) : csvTexts(batches, columns, escapeFormulas), signal);
      });
    } finally {
      running -= 1;
    }
  };
}
