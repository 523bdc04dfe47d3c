// Stages the rows of a file in a temporary table (tables.ts), to match them with the catalog.
import { restingTurn } from '@service/http/resting-turns';
import type { FileOptions } from '@service/tabular/read-rows';
import type { UnreadableRow } from '@service/tabular/rows';
import type { Client } from 'pg';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import type { CatalogRow, Column, Conflict, RowProblem } from '../columns.ts';
import type { RejectedRow } from '../rejected-rows.ts';
import { type CheckedRow, checkRow, valuesWithoutBranch } from './check-row.ts';
import { type SampleRow, sampleMax, sampleOf } from './preview.ts';

/** Rows per statement: amortizes a round trip, and serializes within milliseconds. */
const batchSize = 500;
/** Characters of cells per statement, when rows are long. */
const batchLength = 1_000_000;
/** Time for validation in one turn of the event loop. */
const turnMs = 10;

export interface StageOptions {
  /** A connection with an open transaction, which is committed on success. */
  readonly client: Client;
  readonly rows: AsyncIterable<CatalogRow | UnreadableRow>;
  readonly format: FileOptions<Column>['format'];
  /** The definitions of attributes. */
  readonly defined: DefinedAttributes;
  /** Problems, conflicts and changes beyond this are only counted. */
  readonly listedMax: number;
  readonly signal: AbortSignal;
  readonly onRow?: (rows: number) => void;
  /** Called for each row with problems; reading continues afterwards. */
  readonly onRejected?: (row: RejectedRow) => Promise<void>;
}

interface Collected<Item> {
  total: number;
  readonly listed: Item[];
}

/** Validates all rows and stages the valid ones, whose problems with others are reported beside those of the others. */
export async function stageRows(options: StageOptions) {
  const { client, defined, rows: source, format, listedMax, signal, onRow, onRejected } = options;
  const stage = createStage(client);
  const problems: Collected<RowProblem> = { total: 0, listed: [] };
  const unused: Collected<Conflict> = { total: 0, listed: [] };
  const retired: Collected<RowProblem> = { total: 0, listed: [] };
  const add = <Item>(collected: Collected<Item>, more: readonly Item[]): void => {
    collected.total += more.length;
    collected.listed.push(...more.slice(0, listedMax - collected.listed.length));
  };
  const sample: SampleRow[] = [];
  let [rows, skipped] = [0, 0];
  let [namesBranches, hasIds, hasRefused] = [false, false, false];
  let turnBegan = performance.now();
  for await (const row of source) {
    if (performance.now() - turnBegan > turnMs) {
      await restingTurn();
      turnBegan = performance.now();
    }
    signal.throwIfAborted();
    rows += 1;
    onRow?.(rows);
    const isReadable = !('unreadable' in row);
    const texts = isReadable ? row.texts : row.cells;
    const checked = isReadable
      ? checkRow(row, { isJson: format === 'json', defined, onRetired: (cells) => add(retired, cells) })
      : [{ line: row.line, column: null, ...row.unreadable, value: null }];
    if (Array.isArray(checked)) {
      skipped += 1;
      add(problems, checked);
      await onRejected?.({ line: row.line, texts, problems: checked });
      continue;
    }
    if (sample.length < sampleMax) sample.push(sampleOf(checked));
    hasIds ||= checked.program_given_id > 0 || (checked.branch_given_id ?? 0) > 0;
    hasRefused ||= checked.program_refused !== null || checked.branch_refused !== null;
    await stage.add(checked, texts);
    if (!isReadable) continue;
    namesBranches ||= Object.hasOwn(row.cells, 'branch_name');
    add(unused, valuesWithoutBranch(row));
  }
  await stage.flush();
  return { rows, skipped, problems, unused, retired, sample, namesBranches, hasIds, hasRefused };
}

interface Stage {
  add(row: CheckedRow, texts: readonly string[]): Promise<void>;
  flush(): Promise<void>;
}

/** Rows go to the stage in batches. */
function createStage(client: Client): Stage {
  let batch: (CheckedRow & { readonly number: number; readonly texts: readonly string[] })[] = [];
  let [count, length] = [0, 0];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const rows = JSON.stringify(batch);
    batch = [];
    length = 0;
    await client.query('INSERT INTO staged_rows SELECT * FROM json_populate_recordset(NULL::staged_rows, $1)', [rows]);
  };
  return {
    add: async (row, texts) => {
      count += 1;
      batch.push({ number: count, ...row, texts });
      for (const text of texts) length += text.length;
      if (batch.length >= batchSize || length >= batchLength) await flush();
    },
    flush,
  };
}
