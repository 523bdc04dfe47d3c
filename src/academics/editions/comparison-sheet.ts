import { type CellValue, writeXlsx } from '@service/tabular/xlsx';
import { portionsOf } from '../portions.ts';
import { recordChangeOf } from '../record-change.ts';
import type { ComparedRow, Comparison } from './comparison.ts';

/** The columns of a comparison as a table: a row for each field that differs. */
export const comparisonColumns = [
  'kind',
  'id',
  'action',
  'name',
  'program_id',
  'program_name',
  'field',
  'before',
  'after',
  'last_actor',
  'last_at',
  'last_change_id',
] as const;

type ComparisonCells = Readonly<Record<(typeof comparisonColumns)[number], CellValue>>;

/** The rows of a record. */
export function comparisonRows(row: ComparedRow): ComparisonCells[] {
  const { kind, recordId, action, name, programId, programName, fields } = recordChangeOf(row);
  return fields.map(({ field, before, after }) => ({
    kind: kind.toUpperCase(),
    id: recordId,
    action,
    name,
    program_id: programId,
    program_name: programName,
    field,
    before: cellOf(before),
    after: cellOf(after),
    last_actor: row.lastActor,
    last_at: row.lastAt?.toISOString() ?? null,
    last_change_id: row.lastChangeId,
  }));
}

const cellOf = (value: unknown): CellValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

/** A comparison as a workbook; counts its records in `progress`. */
export async function* comparisonSheet(comparison: Comparison, progress: { records: number }): AsyncGenerator<Buffer> {
  const rowCount = await comparison.countFields();
  yield* writeXlsx({ name: 'Comparison', columns: comparisonColumns, rowCount, rows: rowsOf(comparison, progress) });
}

async function* rowsOf(comparison: Comparison, progress: { records: number }): AsyncGenerator<readonly CellValue[][]> {
  for await (const batch of comparison.batches()) {
    progress.records += batch.length;
    yield* portionsOf(batch.flatMap(comparisonRows).map((cells) => comparisonColumns.map((column) => cells[column])));
  }
}
