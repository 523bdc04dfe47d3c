import { type ColumnMapping, normalizedName, type SourceRow } from '@service/tabular/rows';

/** The columns of the import format, in the order of `export` (`docs/contract.md` 11). */
export const columns = [
  'program_code',
  'program_name',
  'program_duration',
  'branch_name',
  'branch_description',
  'branch_years',
  'branch_code_prefix',
  'branch_code_is_numeric',
] as const;

/** Number a record among its equals, from 1, within one file; exported only when there are such records. */
const occurrenceColumns = ['program_occurrence', 'branch_occurrence'] as const;

export const knownColumns = [...columns, ...occurrenceColumns] as const;

export type Column = (typeof knownColumns)[number];

const requiredColumns = [
  'program_name',
  'program_duration',
  'branch_name',
  'branch_years',
] as const satisfies readonly Column[];

/** As the reader of files takes them. */
export const fileColumns = { known: knownColumns, required: requiredColumns } as const;

/** Columns by their names in a file. */
export type Mapping = ColumnMapping<Column>;

export type CatalogRow = SourceRow<Column>;

/** Number of characters that a report shows of a value. */
export const valueMax = 100;

export interface Problem {
  readonly line: number;
  /** `null` when it concerns the whole row. */
  readonly column: Column | null;
  readonly message: string;
  /** What the file has there, cut to `valueMax` characters; `null` when that is nothing, or concerns the row. */
  readonly value: string | null;
}

export function columnNamed(name: string): Column | undefined {
  const normalized = normalizedName(name);
  return knownColumns.find((column) => column === normalized);
}
