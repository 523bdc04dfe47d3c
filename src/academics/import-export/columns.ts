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

export const requiredColumns = [
  'program_name',
  'program_duration',
  'branch_name',
  'branch_years',
] as const satisfies readonly Column[];

/** Columns of a file: many more than the format has, and few enough to handle a row within milliseconds. */
export const columnsMax = 1_000;

/** Characters of a row: far more than a valid one has, and few enough to parse and buffer within milliseconds. */
export const rowLengthMax = 250_000;

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface SourceRow {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, unknown>>>;
  /** All cells, including those of unknown columns, in the order of the file. */
  readonly texts: readonly string[];
}

export interface UnreadableRow {
  readonly line: number;
  readonly unreadable: string;
  readonly cells: readonly string[];
}

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
  const normalized = name.trim().toLowerCase();
  return knownColumns.find((column) => column === normalized);
}
