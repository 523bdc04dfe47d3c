import type { Client } from 'pg';
import type { Actor } from '../database/audit.ts';
import { checkRow } from './check-row.ts';
import type { Problem, SourceRow, UnreadableRow } from './columns.ts';
import { type Differences, findDifferences } from './differences.ts';
import { type Counts, createMissing, match } from './merge.ts';
import { openStage } from './stage.ts';

/** Problems that are kept to be shown; beyond that they are only counted. */
const listedMax = 10_000;

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
  readonly signal: AbortSignal;
  /** Told, after each row, how many have been read. */
  readonly onRow: (rows: number) => void;
  /** Told what the database does once all rows are read, which takes its time too. */
  readonly onPhase: (sentence: string) => void;
}

/** How an import came out. */
export interface ImportResult extends Counts {
  /** `checked` is what `imported` would be, without `--dry-run`; `refused` is nothing imported, for its problems. */
  readonly outcome: 'imported' | 'checked' | 'refused';
  readonly rows: number;
  /** Rows with problems: left out. */
  readonly skipped: number;
  readonly problems: { readonly total: number; readonly listed: readonly Problem[] };
  readonly differences: Differences;
}

const nothing: Counts = {
  programs: { created: 0, unchanged: 0 },
  branches: { created: 0, unchanged: 0 },
  years: { created: 0 },
  repeated: 0,
};

/**
 * Imports rows into the catalog, all of them or none; with `skipInvalid`, all that have no problems.
 *
 * @throws FileError when the file cannot be read as rows; CatalogChangedError when the catalog changed while it
 *   was compared with the file; whatever the database or the signal throws. Nothing is imported then.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportResult> {
  const { client, dryRun, skipInvalid, onPhase } = options;
  const { rows, skipped, problems } = await stageRows(options);
  if (skipped > 0 && !skipInvalid) {
    return { outcome: 'refused', rows, skipped, ...nothing, problems, differences: { total: 0, listed: [] } };
  }
  onPhase('All rows are read; looking for what is there already.');
  const counts = await match(client);
  const differences = await findDifferences(client, listedMax);
  const result = { rows, skipped, ...counts, problems, differences };
  if (dryRun) return { outcome: 'checked', ...result };
  onPhase('Creating the rest.');
  await createMissing(client);
  await recordImport(options, { rows, skipped, ...counts });
  await client.query('COMMIT');
  // PostgreSQL would get to it within a minute; until then the service would read by plans made for small tables.
  await client.query('ANALYZE programs, branches, branch_years');
  return { outcome: 'imported', ...result };
}

/** Checks all rows and sends the good ones to the database, as long as they may be imported. */
async function stageRows({ client, rows: source, skipInvalid, signal, onRow }: ImportOptions) {
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
    } else if (skipped === 0 || skipInvalid) {
      await stage.add(checked);
    }
    onRow(rows);
  }
  await stage.flush();
  return { rows, skipped, problems: { total, listed } };
}

/** One entry for the whole: a row of the audit log for each of a million records would bury everything else. */
async function recordImport({ client, actor, fileName }: ImportOptions, after: object): Promise<void> {
  await client.query(
    `INSERT INTO audit_entries (actor, key_id, request_id, action, subject, subject_id, after)
     VALUES ($1, $2, $3, 'import', 'Program', 0, $4)`,
    [actor.name, actor.keyId, actor.requestId, JSON.stringify({ file: fileName, ...after })],
  );
}
