import type { Client } from 'pg';
import type { Actor } from '../database/audit.ts';
import { recordImport } from './audit.ts';
import { checkRow } from './check-row.ts';
import type { Problem, SourceRow, UnreadableRow } from './columns.ts';
import { type Counts, gatherChanges } from './compare.ts';
import { type Comparison, compareRows, type Listed } from './conflicts.ts';
import { matchRows } from './match.ts';
import { applyChanges, createMissing } from './merge.ts';
import { openStage } from './stage.ts';

/** Problems that are kept to be shown; beyond that they are only counted. */
const listedMax = 10_000;

/** A row that is left out, in the words of the file, and why. */
export interface RejectedRow {
  readonly line: number;
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

export interface ImportOptions {
  /** In a transaction, which is committed when all has gone well. */
  readonly client: Client;
  readonly rows: AsyncIterable<SourceRow | UnreadableRow>;
  /** Who imports, for the audit log. */
  readonly actor: Actor;
  /** Name of the file, for the audit log. */
  readonly fileName: string;
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
  /** Whether records that are there and differ are changed. */
  readonly update: boolean;
  readonly signal: AbortSignal;
  /** Told, after each row, how many have been read. */
  readonly onRow: (rows: number) => void;
  /** Told of each row that has problems; reading goes on afterwards. */
  readonly onRejected: (row: RejectedRow) => Promise<void>;
  /** Told what the database does once all rows are read, which takes its time too. */
  readonly onPhase: (sentence: string) => void;
}

/** How an import came out. */
export interface ImportResult extends Counts, Comparison {
  /** `checked` is what `imported` would be, without `dryRun`; `refused` is nothing imported, for its problems. */
  readonly outcome: 'imported' | 'checked' | 'refused';
  readonly rows: number;
  /** Rows with problems: left out. */
  readonly skipped: number;
  readonly problems: Listed<Problem>;
}

const nothing: Counts & Comparison = {
  programs: { created: 0, changed: 0, unchanged: 0 },
  branches: { created: 0, changed: 0, unchanged: 0 },
  years: { created: 0, changed: 0, removed: 0 },
  repeated: 0,
  differences: { total: 0, listed: [] },
  changes: { total: 0, listed: [] },
};

/**
 * Imports rows into the catalog, all of them or none; with `skipInvalid`, all that have no problems.
 *
 * @throws FileError when the file cannot be read as rows; CatalogChangedError when the catalog changed while it was
 *   compared with the file; whatever the database or the signal throws. Nothing is imported then.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportResult> {
  const { client, actor, fileName, dryRun, skipInvalid, update, onPhase } = options;
  const { rows, skipped, problems } = await stageRows(options);
  if (skipped > 0 && !skipInvalid) return { outcome: 'refused', rows, skipped, problems, ...nothing };
  onPhase('All rows are read; looking for what is there already.');
  await matchRows(client);
  const counts = await gatherChanges(client, update);
  const result = { rows, skipped, ...counts, problems, ...(await compareRows(client, { most: listedMax, update })) };
  if (dryRun) return { outcome: 'checked', ...result };
  onPhase(update ? 'Creating and changing the rest.' : 'Creating the rest.');
  await createMissing(client);
  await applyChanges(client, { programs: counts.programs.changed, branches: counts.branches.changed });
  await recordImport(client, actor, { file: fileName, rows, skipped, ...counts });
  await client.query('COMMIT');
  await analyze(client);
  return { outcome: 'imported', ...result };
}

/**
 * Makes statistics of what there is now. PostgreSQL would get to it within a minute; until then the service would read
 * by plans made for small tables. Should it fail, or be cancelled, what is imported is imported.
 */
async function analyze(client: Client): Promise<void> {
  await client.query('ANALYZE programs, branches, branch_years').catch(() => undefined);
}

/** Checks all rows and sends the good ones to the database, as long as they may be imported. */
async function stageRows({ client, rows: source, skipInvalid, signal, onRow, onRejected }: ImportOptions) {
  const stage = await openStage(client);
  const listed: Problem[] = [];
  let [rows, skipped, total] = [0, 0, 0];
  for await (const row of source) {
    signal.throwIfAborted();
    rows += 1;
    const checked = 'unreadable' in row ? [{ line: row.line, column: null, message: row.unreadable }] : checkRow(row);
    if (Array.isArray(checked)) {
      skipped += 1;
      total += checked.length;
      listed.push(...checked.slice(0, listedMax - listed.length));
      await onRejected({ line: row.line, texts: 'unreadable' in row ? row.cells : row.texts, problems: checked });
    } else if (skipped === 0 || skipInvalid) {
      await stage.add(checked);
    }
    onRow(rows);
  }
  await stage.flush();
  return { rows, skipped, problems: { total, listed } };
}
