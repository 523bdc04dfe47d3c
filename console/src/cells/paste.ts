import type { Client } from '@urql/core';
import * as z from 'zod/mini';
import { fetchOwn } from '../api/fetch-own.ts';
import { describeRejection, problemSchema, rejectionIn } from '../api/problems.ts';
import { readRecords } from '../bulk/read-records.ts';
import { t } from '../language/language.ts';
import type { Column, Listed } from '../table/columns.ts';
import type { RowKind } from '../table/row.tsx';
import type { Block } from './block.ts';

/** A row of a list, with the cells of a file that name its record. */
export interface PasteRow<Row> {
  readonly row: Row;
  /** What a file needs of every record, its id first. */
  readonly record: Readonly<Record<string, string | number>>;
}

/** What is pasted: into which rows, and how much of the block has no place. */
export interface Paste<Row> {
  readonly rows: readonly { readonly target: PasteRow<Row>; readonly values: readonly string[] }[];
  readonly columns: readonly Column<Row>[];
  readonly left: { readonly rows: number; readonly columns: number };
  /** The headings of columns that cannot be changed. */
  readonly fixed: readonly string[];
}

/**
 * Places a block in rows, from a column on. One row of cells fills all rows, one cell all of a column.
 *
 * @param columns The columns from the first cell on.
 */
export function placeBlock<Row>(
  block: Block,
  targets: readonly PasteRow<Row>[],
  columns: readonly Column<Row>[],
): Paste<Row> {
  const width = Math.max(...block.map((cells) => cells.length));
  const meant = columns.slice(0, width);
  const used = meant.flatMap((column, at) => (column.edit === undefined ? [] : [{ column, at }]));
  const fills = block.length === 1;
  const rows = targets.slice(0, fills ? targets.length : block.length).map((target, at) => {
    const cells = block[fills ? 0 : at] ?? [];
    return { target, values: used.map(({ at: place }) => (cells[place] ?? '').trim()) };
  });
  return {
    rows,
    columns: used.map(({ column }) => column),
    left: {
      rows: fills ? 0 : Math.max(0, block.length - targets.length),
      columns: Math.max(0, width - columns.length),
    },
    fixed: meant.flatMap(({ name, edit }) => (edit === undefined ? [name] : [])),
  };
}

/** The paste into the records as they are now: their cells in a file that it does not change are the current ones. */
export async function withCurrentRecords<Row extends Listed>(
  client: Client,
  kind: RowKind,
  paste: Paste<Row>,
): Promise<Paste<Row>> {
  const found = await readRecords(
    client,
    kind,
    paste.rows.map(({ target }) => target.row.id),
  );
  const records = new Map(found?.map(({ id, record }) => [id, record]));
  const rows = paste.rows.map(({ target, values }) => ({
    target: { ...target, record: records.get(target.row.id) ?? target.record },
    values,
  }));
  return { ...paste, rows };
}

const counts = z.object({ created: z.int(), changed: z.int(), unchanged: z.int() });
const outcomeSchema = z.object({
  outcome: z.enum(['imported', 'checked', 'rejected']),
  changeId: z.nullable(z.string()),
  programs: counts,
  branches: counts,
  problems: z.array(z.extend(problemSchema, { line: z.int() })),
  changes: z.array(
    z.object({ column: z.string(), name: z.string(), from: z.nullable(z.string()), to: z.nullable(z.string()) }),
  ),
  changeCount: z.int(),
});

/** The line of the first row. */
export const firstLine = 2;

/** What a paste would change, or has changed. */
export type PasteOutcome = z.infer<typeof outcomeSchema>;

/** Changes the pasted cells, as one change: an import of the rows by their ids. Returns the error for the user, too. */
export async function sendPaste<Row>({ rows, columns }: Paste<Row>, dryRun: boolean): Promise<PasteOutcome | string> {
  const body = rows.map(({ target, values }) => ({
    ...target.record,
    ...Object.fromEntries(columns.map(({ edit }, at) => [edit?.fileColumn, values[at]])),
  }));
  const parameters = new URLSearchParams({
    update: 'true',
    ownIds: 'true',
    dryRun: String(dryRun),
    fileName: 'pasted cells',
  });
  try {
    const response = await fetchOwn(`/import/catalog?${parameters}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // A record a line: problems are said by line.
      body: `[\n${body.map((record) => JSON.stringify(record)).join(',\n')}\n]`,
    });
    const answer: unknown = await response.json();
    if (!response.ok) return describeRejection(rejectionIn(response, answer) ?? { message: String(response.status) });
    const outcome = outcomeSchema.parse(answer);
    const created = outcome.programs.created + outcome.branches.created;
    return created > 0 ? t('cells.otherRecords') : outcome;
  } catch {
    return t('api.unreachable');
  }
}
