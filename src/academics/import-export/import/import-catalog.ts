import { setImmediate } from 'node:timers/promises';
import type { UnreadableRow } from '@service/tabular/rows';
import type { Client } from 'pg';
import type { Actor } from '../../../accounts/audit/audit.ts';
import type { CatalogRow, Conflict, Problem } from '../columns.ts';
import { recordImport } from './audit.ts';
import { type CheckedRow, checkRow, valuesWithoutBranch } from './check-row.ts';
import { type Counts, collectChanges } from './compare.ts';
import { type Comparison, compareRows, type Listed } from './conflicts.ts';
import { findAmbiguousCodes, matchRows, refuseTooManyAttributes } from './match.ts';
import { applyChanges, createMissing } from './merge.ts';
import {
  type CreatedRecord,
  listCreated,
  listMissing,
  type MissingRecord,
  type SampleRow,
  sampleMax,
  sampleOf,
} from './preview.ts';
import type { RejectedRow } from './rejected-rows.ts';

/** Rows per statement: amortizes a round trip, and serializes within milliseconds however long rows are. */
const batchSize = 500;
/** Time for validation in one turn of the event loop. */
const turnMs = 10;

export interface ImportOptions {
  /** In a transaction, which is committed on success. */
  readonly client: Client;
  readonly rows: AsyncIterable<CatalogRow | UnreadableRow>;
  readonly actor: Actor;
  /** `null` when it is not known. */
  readonly fileName: string | null;
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
  readonly update: boolean;
  /** Problems, conflicts and changes beyond this are only counted. */
  readonly listedMax: number;
  readonly signal: AbortSignal;
  /** Called before the commit; a rejection rolls back. */
  readonly beforeCommit?: () => Promise<void>;
  readonly onRow?: (rows: number) => void;
  /** Called for each row with problems; reading continues afterwards. */
  readonly onRejected?: (row: RejectedRow) => Promise<void>;
  readonly onPhase?: (sentence: string) => void;
}

export interface ImportResult extends Counts, Comparison {
  /** `checked`: a dry run; `rejected`: nothing imported, because of problems. */
  readonly outcome: 'imported' | 'checked' | 'rejected';
  /** `null` when nothing was imported. */
  readonly changeId: string | null;
  readonly rows: number;
  readonly skipped: number;
  readonly problems: Listed<Problem>;
  /** Codes of the file that several records have. */
  readonly ambiguousCodes: Listed<Problem>;
  /** The first valid rows. */
  readonly sample: readonly SampleRow[];
  readonly created: Listed<CreatedRecord>;
  readonly missing: Listed<MissingRecord>;
}

const nothing: Counts & Comparison & Pick<ImportResult, 'ambiguousCodes' | 'created' | 'missing'> = {
  programs: { created: 0, changed: 0, unchanged: 0 },
  branches: { created: 0, changed: 0, unchanged: 0 },
  years: { created: 0, changed: 0, removed: 0 },
  repeated: 0,
  differences: { total: 0, listed: [] },
  changes: { total: 0, listed: [] },
  ambiguousCodes: { total: 0, listed: [] },
  created: { total: 0, listed: [] },
  missing: { total: 0, listed: [] },
};

/**
 * Imports all rows or none; with `skipInvalid`, all that have no problems.
 * @throws FileError when the file cannot be parsed; CatalogChangedError when the catalog changed during the comparison.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportResult> {
  const { client, actor, fileName, dryRun, skipInvalid, update, listedMax, onPhase } = options;
  const { unused, ...read } = await stageRows(options);
  const { rows, skipped } = read;
  if (skipped > 0 && !skipInvalid) return { outcome: 'rejected', changeId: null, ...read, ...nothing };
  onPhase?.('All rows read; matching them with existing records.');
  await matchRows(client);
  const refused = update ? await refuseTooManyAttributes(client, listedMax) : none;
  const staged = {
    ...read,
    problems: { total: read.problems.total + refused.total, listed: firstByLine(read.problems, refused, listedMax) },
  };
  if (refused.total > 0 && !skipInvalid) {
    return { outcome: 'rejected', changeId: null, ...staged, skipped: refused.total, ...nothing };
  }
  const ambiguousCodes = await findAmbiguousCodes(client, listedMax);
  const counts = await collectChanges(client, update);
  const { differences, changes } = await compareRows(client, { listedMax, update });
  const notUsed = { total: unused.total + differences.total, listed: firstByLine(unused, differences, listedMax) };
  const created = await listCreated(client, listedMax);
  const missing = await listMissing(client, listedMax);
  const result = { ...staged, ...counts, differences: notUsed, changes, ambiguousCodes, created, missing };
  if (dryRun) return { outcome: 'checked', changeId: null, ...result };
  onPhase?.(update ? 'Creating and updating records.' : 'Creating records.');
  await createMissing(client);
  await applyChanges(client, { programs: counts.programs.changed, branches: counts.branches.changed });
  await recordImport(client, actor, { file: fileName, rows, skipped, ...counts });
  await options.beforeCommit?.();
  options.signal.throwIfAborted();
  await client.query('COMMIT');
  await analyze(client);
  return { outcome: 'imported', changeId: actor.changeId, ...result };
}

const none = { total: 0, listed: [] };

function firstByLine<Item extends Problem>(one: Listed<Item>, other: Listed<Item>, max: number): Item[] {
  return [...one.listed, ...other.listed].toSorted((a, b) => a.line - b.line).slice(0, max);
}

/** Autovacuum takes up to a minute; until then, plans are for small tables. A failure is harmless after the commit. */
async function analyze(client: Client): Promise<void> {
  await client.query('ANALYZE programs, branches, branch_years').catch(() => undefined);
}

interface Found<Item> {
  total: number;
  readonly listed: Item[];
}

/** Validates all rows and stages the valid ones, as long as the import can still succeed. */
async function stageRows(options: ImportOptions) {
  const { client, rows: source, skipInvalid, listedMax, signal, onRow, onRejected } = options;
  const stage = await openStage(client);
  const problems: Found<Problem> = { total: 0, listed: [] };
  const unused: Found<Conflict> = { total: 0, listed: [] };
  const add = <Item>(found: Found<Item>, more: readonly Item[]): void => {
    found.total += more.length;
    found.listed.push(...more.slice(0, listedMax - found.listed.length));
  };
  const sample: SampleRow[] = [];
  let [rows, skipped] = [0, 0];
  let turnBegan = performance.now();
  for await (const row of source) {
    signal.throwIfAborted();
    rows += 1;
    const checked =
      'unreadable' in row ? [{ line: row.line, column: null, message: row.unreadable, value: null }] : checkRow(row);
    if (Array.isArray(checked)) {
      skipped += 1;
      add(problems, checked);
      await onRejected?.({ line: row.line, texts: 'unreadable' in row ? row.cells : row.texts, problems: checked });
    } else {
      if (sample.length < sampleMax) sample.push(sampleOf(checked));
      if (skipped > 0 && !skipInvalid) continue;
      await stage.add(checked);
      if (!('unreadable' in row)) add(unused, valuesWithoutBranch(row));
    }
    onRow?.(rows);
    if (performance.now() - turnBegan > turnMs) {
      await setImmediate();
      turnBegan = performance.now();
    }
  }
  await stage.flush();
  return { rows, skipped, problems, unused, sample };
}

interface Stage {
  add(row: CheckedRow): Promise<void>;
  flush(): Promise<void>;
}

/** Creates the stage, which is dropped with the client's transaction. Rows are numbered, as JSON may have many on a line. */
async function openStage(client: Client): Promise<Stage> {
  await client.query(`
    CREATE TEMP TABLE staged_rows (
      number integer NOT NULL,
      line integer NOT NULL,
      program_key text COLLATE "C" NOT NULL,
      program_occurrence integer NOT NULL,
      program jsonb NOT NULL,
      branch_key text COLLATE "C",
      branch_occurrence integer,
      branch jsonb
    ) ON COMMIT DROP`);
  let batch: (CheckedRow & { readonly number: number })[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const rows = JSON.stringify(batch);
    batch = [];
    await client.query('INSERT INTO staged_rows SELECT * FROM json_populate_recordset(NULL::staged_rows, $1)', [rows]);
  };
  return {
    add: async (row) => {
      count += 1;
      batch.push({ number: count, ...row });
      if (batch.length >= batchSize) await flush();
    },
    flush,
  };
}
