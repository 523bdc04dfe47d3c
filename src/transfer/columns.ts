/** The columns of the import format, in the order that `export` writes them (`docs/contract.md` 9). */
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

/**
 * Which of the records that the other columns do not tell apart a row is about, from 1. Their numbers tell them apart
 * within a file and mean nothing beyond it. `export` writes these columns only when there are such records.
 */
const occurrenceColumns = ['program_occurrence', 'branch_occurrence'] as const;

/** All columns that mean something. */
export const knownColumns = [...columns, ...occurrenceColumns] as const;

export type Column = (typeof knownColumns)[number];

/** The columns that a table must have; without the others, every row has their defaults. */
export const requiredColumns = [
  'program_name',
  'program_duration',
  'branch_name',
  'branch_years',
] as const satisfies readonly Column[];

/** The cells of a line of CSV as they stand there, and the line that they begin on. */
export interface CsvRecord {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** One row of a file as it stands there, not checked yet. */
export interface SourceRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, unknown>>>;
  /** All its cells as text, those too that mean nothing here, in the order of the file. */
  readonly texts: readonly string[];
}

/** Something in a file that could not even be read as a row. */
export interface UnreadableRow {
  readonly line: number;
  readonly unreadable: string;
  /** As much of it as could be read. */
  readonly cells: readonly string[];
}

/** What is wrong with a row, or worth knowing about it. */
export interface Problem {
  readonly line: number;
  /** `null` when it is about the row as a whole. */
  readonly column: Column | null;
  readonly message: string;
}

/** The column of a name as people write it. */
export function columnNamed(name: string): Column | undefined {
  const normalized = name.trim().toLowerCase();
  return knownColumns.find((column) => column === normalized);
}
