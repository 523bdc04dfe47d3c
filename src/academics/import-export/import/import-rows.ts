import type { TransactionEnd, TransactionOptions } from '@service/postgres/transaction';
import type { RecordChange } from '../../record-change.ts';
import type { ChangeContext } from '../../sql/writes/apply.ts';
import type { Column, RowProblem } from '../columns.ts';
import { type Counts, collectChanges, importFingerprint } from './collect-changes.ts';
import { type Capped, compareRows, type RowComparison } from './compare-rows.ts';
import { checkIds, type Ids } from './matching/ids.ts';
import { findAmbiguousCodes, matchRows } from './matching/match.ts';
import { findNearlyEqual } from './matching/nearly-equal.ts';
import { listRenamed, type RenamedRecord } from './matching/renamed.ts';
import { mergeRows } from './merge.ts';
import {
  type CreatedRecord,
  listChanged,
  listCreated,
  listMissing,
  type MissingRecord,
  type SampleRow,
} from './preview.ts';
import { type Rejections, rejectAttributes, rejectRows } from './rejections.ts';
import { type StageOptions, stageRows } from './stage.ts';
import { importTables } from './tables.ts';

/** What people do that is an import of rows: they paste cells, or find and replace. */
export const importOrigins = ['paste', 'replace'] as const;

export interface ImportOptions extends StageOptions, Pick<ChangeContext, 'actor'> {
  /** `null` when it is not known. */
  readonly fileName: string | null;
  /** What the user has done, if it was not the import of a file. */
  readonly origin?: (typeof importOrigins)[number] | undefined;
  readonly dryRun: boolean;
  /** Whether rows that have problems are left out. */
  readonly skipInvalid: boolean;
  readonly update: boolean;
  /** Whether a new record is taken for the missing one in whose place it stands. */
  readonly renamed: boolean;
  /** Whether ids are of this catalog, whatever else their rows have. */
  readonly ownIds: boolean;
  /** Columns whose values of existing records an update leaves as they are. */
  readonly keep: readonly Column[];
  /** Whether programs that the file does not have are listed as missing. */
  readonly wholeCatalog: boolean;
  /** Imports only what the report with this fingerprint says: else it is a dry run. */
  readonly fingerprint?: string | undefined;
  /** Called when the file is read, before anything of the catalog is. */
  readonly beforeMatching?: (() => Promise<void>) | undefined;
  /** Called before the commit; a rejection rolls back. */
  readonly beforeCommit?: () => Promise<void>;
  readonly onPhase?: (sentence: string) => void;
}

export interface ImportResult extends Counts, RowComparison {
  /** `checked`: a dry run; `rejected`: nothing imported, because of problems. */
  readonly outcome: 'imported' | 'checked' | 'rejected';
  /** `null` when nothing was imported. */
  readonly changeId: string | null;
  readonly ids: Ids;
  readonly rows: number;
  readonly skipped: number;
  readonly problems: Capped<RowProblem>;
  /** Values that are retired choices, which are imported all the same. */
  readonly retired: Capped<RowProblem>;
  /** Codes of the file that several records have. */
  readonly ambiguousCodes: Capped<RowProblem>;
  /** The first valid rows. */
  readonly sample: readonly SampleRow[];
  /** Old and new values of what differs from the file. */
  readonly changedRecords: Capped<RecordChange>;
  readonly created: Capped<CreatedRecord>;
  readonly missing: Capped<MissingRecord>;
  /** Codes and names of new records that are nearly those of others. */
  readonly nearlyEqual: Capped<RowProblem>;
  /** New records that stand in the place of missing ones. */
  readonly perhapsRenamed: Capped<RenamedRecord>;
  /** Identifies what the import creates and changes; `null` when it was rejected. */
  readonly fingerprint: string | null;
}

const none = { total: 0, listed: [] };

const nothing: Omit<
  ImportResult,
  'outcome' | 'ids' | 'changeId' | 'rows' | 'skipped' | 'problems' | 'retired' | 'sample'
> = {
  programs: { created: 0, changed: 0, unchanged: 0 },
  branches: { created: 0, changed: 0, unchanged: 0 },
  years: { created: 0, changed: 0, removed: 0 },
  repeated: 0,
  conflicts: none,
  changes: none,
  changedRecords: none,
  ambiguousCodes: none,
  created: none,
  missing: none,
  nearlyEqual: none,
  perhapsRenamed: none,
  fingerprint: null,
};

/**
 * Imports all rows or none; with `skipInvalid`, all that have no problems, unless leaving rows out makes others wrong
 * again and again.
 * @throws FileError when the file cannot be parsed; CatalogChangedError when the catalog changed during the comparison.
 */
export async function importRows(options: ImportOptions): Promise<ImportResult> {
  const {
    client,
    actor,
    fileName,
    origin,
    dryRun,
    skipInvalid,
    update,
    keep,
    ownIds,
    wholeCatalog,
    listedMax,
    onPhase,
  } = options;
  await client.query(importTables);
  const { unused, namesBranches, hasIds, hasRefused, ...staged } = await stageRows(options);
  onPhase?.('All rows read; matching them with existing records.');
  await options.beforeMatching?.();
  const ids = hasIds ? await checkIds(client, ownIds) : null;
  const rejected = await matchWithout({ ...options, ids, hasRefused });
  const read = {
    ...staged,
    ids,
    skipped: staged.skipped + rejected.rows,
    problems: both(staged.problems, rejected, listedMax),
  };
  const isRejected = rejected.areLeft || (read.problems.total > 0 && !skipInvalid);
  if (isRejected) return { outcome: 'rejected', changeId: null, ...read, ...nothing };
  const ambiguousCodes = await findAmbiguousCodes(client, listedMax);
  const counts = await collectChanges(client, update);
  const compared = await compareRows(client, { listedMax, update, keep });
  const result = {
    ...read,
    ...counts,
    conflicts: both(unused, compared.conflicts, listedMax),
    changes: compared.changes,
    ambiguousCodes,
    changedRecords: await listChanged(client, listedMax),
    created: await listCreated(client, listedMax),
    missing: await listMissing(client, { listedMax, wholeCatalog, namesBranches }),
    nearlyEqual: await findNearlyEqual(client, listedMax),
    perhapsRenamed: await listRenamed(client, listedMax),
    fingerprint: await importFingerprint(client),
  };
  if (dryRun || (options.fingerprint ?? result.fingerprint) !== result.fingerprint) {
    return { outcome: 'checked', changeId: null, ...result };
  }
  onPhase?.(update ? 'Creating and updating records.' : 'Creating records.');
  await mergeRows(client, options, { file: fileName, origin, rows: read.rows, skipped: read.skipped, ...counts });
  await options.beforeCommit?.();
  return { outcome: 'imported', changeId: actor.changeId, ...result };
}

/** Rounds of matching: a file may have rows each of which is wrong only without the one before. */
const matchingsMax = 5;

/**
 * Matches all rows that can be imported together; without `skipInvalid` it stops at rows that cannot. A record with too
 * many attributes is imported without those of the file. `areLeft`: wrong rows may be left.
 */
async function matchWithout(
  options: ImportOptions & { readonly ids: Ids; readonly hasRefused: boolean },
): Promise<Rejections & { readonly areLeft: boolean }> {
  const { client, skipInvalid, update, renamed, keep, listedMax } = options;
  let all: Rejections = { ...none, rows: 0 };
  let areLeft = true;
  for (let matchings = 0; areLeft && matchings < (skipInvalid ? matchingsMax : 1); matchings += 1) {
    await matchRows(client, { renamed, keep });
    const rejected = await rejectRows(options);
    all = { rows: all.rows + rejected.rows, ...both(all, rejected, listedMax) };
    areLeft = rejected.total > 0;
  }
  if (areLeft || !update) return { ...all, areLeft };
  const crowded = await rejectAttributes(options);
  return { rows: all.rows + (skipInvalid ? 0 : crowded.rows), ...both(all, crowded, listedMax), areLeft };
}

function both<Item extends Pick<RowProblem, 'line'>>(
  one: Capped<Item>,
  other: Capped<Item>,
  max: number,
): Capped<Item> {
  const listed = [...one.listed, ...other.listed].toSorted((a, b) => a.line - b.line).slice(0, max);
  return { total: one.total + other.total, listed };
}

type ImportTransaction = Pick<TransactionOptions, 'mode'> & TransactionEnd<Pick<ImportResult, 'outcome'>>;

/**
 * The transaction of an import. A dry run compares the file with one state of the catalog, whatever is imported meanwhile:
 * it waits for no import. The statistics are updated after its commit, since autovacuum takes up to a
 * minute, with plans for small tables until then: there a failure is harmless, and so is the end of the caller, which
 * cancels the statement: the import is reported as done.
 */
export const importTransaction = ({ dryRun }: Pick<ImportOptions, 'dryRun'>): ImportTransaction => ({
  ...(dryRun && { mode: 'ISOLATION LEVEL REPEATABLE READ' }),
  commits: ({ outcome }) => outcome === 'imported',
  afterCommit: async (client) => {
    await client.query('ANALYZE programs, branches, branch_years').catch(() => undefined);
  },
});
