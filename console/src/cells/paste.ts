import type { Client } from '@urql/core';
import type { RecordKind } from '../api/event-stream.ts';
import { type Report, reportSchema, sendFile } from '../api/import-report.ts';
import { readRecords } from '../bulk/read-records.ts';
import type { FieldValues } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import type { Column, Listed } from '../table/columns.ts';
import type { Block } from './block.ts';

/** A row of a list, with the cells of a file that name its record. */
export interface PasteRow {
  readonly row: Listed;
  /** What a file needs of every record, its id first. */
  readonly record: Readonly<Record<string, string | number>>;
}

/** What is pasted: into which rows, and how much of the block has no place. */
export interface Paste {
  readonly rows: readonly (PasteRow & { readonly values: readonly string[] })[];
  readonly columns: readonly { readonly name: string; readonly fileColumn: string }[];
  readonly left: { readonly rows: number; readonly columns: number };
  /** The headings of columns that cannot be changed. */
  readonly fixed: readonly string[];
  /** Of a find and replace: the values of a row by those that its record has. */
  readonly fill?: (values: FieldValues) => readonly string[];
}

/**
 * Places a block in rows, from a column on. One row of cells fills all rows, one cell all of a column.
 *
 * @param columns The columns from the first cell on.
 */
export function placeBlock<Row>(block: Block, targets: readonly PasteRow[], columns: readonly Column<Row>[]): Paste {
  const width = Math.max(...block.map((cells) => cells.length));
  const meant = columns.slice(0, width);
  const used = meant.flatMap(({ name, edit }, at) => (edit === undefined ? [] : [{ name, at, ...edit }]));
  const fills = block.length === 1;
  const rows = targets.slice(0, fills ? targets.length : block.length).map((target, at) => {
    const cells = block[fills ? 0 : at] ?? [];
    return { ...target, values: used.map(({ at: place }) => (cells[place] ?? '').trim()) };
  });
  return {
    rows,
    columns: used,
    left: {
      rows: fills ? 0 : Math.max(0, block.length - targets.length),
      columns: Math.max(0, width - columns.length),
    },
    fixed: meant.flatMap(({ name, edit }) => (edit === undefined ? [name] : [])),
  };
}

/** The paste into the records as they are now: a file has their current values in the cells that are not pasted. */
export async function withCurrentRecords(client: Client, kind: RecordKind, paste: Paste): Promise<Paste | null> {
  const { rows, fill } = paste;
  const found = await readRecords(
    client,
    kind,
    rows.map(({ row }) => row.id),
  );
  const records = new Map(found?.map((record) => [record.id, record]));
  const current = rows.map((one) => {
    const { record = one.record, values } = records.get(one.row.id) ?? {};
    return { ...one, record, values: (values && fill?.(values)) ?? one.values };
  });
  return found && { ...paste, rows: current };
}

/** The line of the first row. */
export const firstLine = 2;

/**
 * Changes the pasted cells as the report with this fingerprint says, as one change: an import of the rows by their ids.
 * Without one it makes that report. Returns the error for the user, too.
 */
export async function sendPaste(paste: Paste | null, fingerprint?: string | null): Promise<Report | string> {
  if (paste === null) return t('api.unreachable');
  const { rows, columns } = paste;
  const body = rows.map(({ record, values }) => ({
    ...record,
    ...Object.fromEntries(columns.map(({ fileColumn }, at) => [fileColumn, values[at]])),
  }));
  const parameters = new URLSearchParams({
    update: 'true',
    ownIds: 'true',
    dryRun: String(!fingerprint),
    ...(fingerprint && { fingerprint }),
    fileName: 'pasted cells',
  });
  // A record a line: problems are said by line.
  const text = `[\n${body.map((record) => JSON.stringify(record)).join(',\n')}\n]`;
  const report = await sendFile(`/import/catalog?${parameters}`, 'application/json', text, reportSchema);
  const isOther = typeof report === 'object' && report.programs.created + report.branches.created > 0;
  return isOther ? t('cells.otherRecords') : report;
}
