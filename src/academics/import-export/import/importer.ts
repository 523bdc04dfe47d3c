import { ServiceError } from '@service/errors';
import { inTransaction } from '@service/postgres/transaction';
import { inChunks } from '@service/tabular/chunks';
import { FileError } from '@service/tabular/errors';
import { type FileOptions, readRows } from '@service/tabular/read-rows';
import { createFindings, type FindingCounts } from '@service/tabular/rows';
import { type Encoding, isGuess } from '@service/tabular/text';
import { validationFailed } from '../../../validation/validate.ts';
import { type Column, fileColumns } from '../columns.ts';
import { createEncodingSample, type EncodingSample } from '../encoding-sample.ts';
import { createRejectedRows, type RejectedRows } from '../rejected-rows.ts';
import { quoted } from './compare-rows.ts';
import { type ImportOptions, type ImportResult, importRows, importTransaction } from './import-rows.ts';
import { CatalogChangedError } from './merge.ts';
import { createImportTurns, type ImportTurn, importWaitMs } from './turns.ts';

/** Problems, rejected rows, conflicts and changes beyond this are only counted: a response stays small. */
const listedMax = 1_000;
const ignoredColumnsMax = 100;
const connectTimeoutMs = 1_200;

/** Options of an import that callers choose. */
export type ChosenOptions =
  | 'fileName'
  | 'origin'
  | 'dryRun'
  | 'skipInvalid'
  | 'update'
  | 'renamed'
  | 'ownIds'
  | 'keep'
  | 'wholeCatalog'
  | 'fingerprint';

/** How callers choose to read a file. */
export type ChosenReading = 'format' | 'delimiter' | 'encoding' | 'sheet' | 'headerRow' | 'skipHidden';

export interface FileImport
  extends Pick<ImportOptions, ChosenOptions | 'actor' | 'defined' | 'signal' | 'beforeCommit'>,
    Pick<FileOptions<Column>, ChosenReading | 'fillDown' | 'mapping'> {
  readonly bytes: AsyncIterable<Buffer>;
  /** Whose turn it takes. */
  readonly user: string;
}

/** Adds the names of unknown columns, and the first rows with problems. */
export interface FileImportResult extends ImportResult {
  readonly ignoredColumns: readonly string[];
  /** How a text was read; `null` for a workbook. */
  readonly encoding: Encoding | null;
  /** Whether nothing said that. */
  readonly encodingGuessed: boolean;
  /** The line of the header; `null` for JSON. */
  readonly headerRow: number | null;
  /** The sheet of a workbook that was read. */
  readonly sheet: string | null;
  /** The sheets of a workbook that can be read. */
  readonly sheets: readonly string[];
  readonly found: FindingCounts;
  readonly encodingSample: EncodingSample;
  readonly rejected: RejectedRows;
}

/**
 * Imports a file into the catalog; rejects with errors of the database or the file's bytes too.
 * @throws ServiceError `UNAVAILABLE` when other imports take too long, `VALIDATION_FAILED` for a file that cannot be parsed,
 * `CONFLICT` when the catalog has changed during the import.
 */
export type ImportFile = (options: FileImport) => Promise<FileImportResult>;

/**
 * Imports on a connection without statement timeouts, one file at a time, across all instances and the command line; what
 * is only compared waits for none that is imported.
 */
export function createImporter(url: string, waitMs = importWaitMs): ImportFile {
  const inTurn = createImportTurns(waitMs);
  return async (options) => {
    const { dryRun, signal, user } = options;
    const connection = { url, connectTimeoutMs, signal, ...importTransaction(options) };
    const work = ({ waitForImports }: ImportTurn) =>
      inTransaction(connection, async (client) => {
        if (!dryRun) await waitForImports(client);
        const ignored: string[] = [];
        const rejected = createRejectedRows(listedMax);
        let encoding: Encoding | null = null;
        let headerRow: number | null = null;
        let sheet: string | null = null;
        let sheets: readonly string[] = [];
        const found = createFindings();
        const sample = createEncodingSample();
        const rows = readRows(inChunks(options.bytes, options.signal), {
          ...options,
          columns: fileColumns,
          onHeader: (names, line) => {
            rejected.setNames(names);
            headerRow = line;
          },
          onIgnored: (names) => ignored.push(...names.slice(0, ignoredColumnsMax).map(quoted)),
          onEncoding: (name) => {
            encoding = name;
          },
          onSheet: (name, names) => {
            sheet = name;
            sheets = names;
          },
          onFinding: found.count,
        });
        async function* sampled(): typeof rows {
          for await (const row of rows) {
            if (!('unreadable' in row)) sample.add(row);
            yield row;
          }
        }
        const onRejected: ImportOptions['onRejected'] = async (row) => rejected.add(row);
        const result = await importRows({ ...options, client, rows: sampled(), listedMax, onRejected });
        const encodingGuessed = options.encoding === undefined && isGuess(encoding);
        const file = {
          encoding,
          encodingGuessed,
          headerRow,
          sheet,
          sheets,
          encodingSample: sample.of(encoding),
          found: found.counts,
        };
        return { ...result, ...file, ignoredColumns: ignored, rejected };
      });
    try {
      return await inTurn({ user, dryRun, signal }, work);
    } catch (problem) {
      throw toClientError(problem);
    }
  };
}

function toClientError(found: unknown): unknown {
  if (found instanceof FileError) return validationFailed({ file: [found.problem] });
  if (found instanceof CatalogChangedError) return new ServiceError('CONFLICT', found.problem);
  return found;
}
