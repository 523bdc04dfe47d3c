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

/**
 * Number a record among those equal in all other columns, from 1; valid within one file only. `export` writes these columns
 * only when there are such records.
 */
const occurrenceColumns = ['program_occurrence', 'branch_occurrence'] as const;

export const knownColumns = [...columns, ...occurrenceColumns] as const;

export type Column = (typeof knownColumns)[number];

/** The columns that a file must have; the others have defaults. */
export const requiredColumns = [
  'program_name',
  'program_duration',
  'branch_name',
  'branch_years',
] as const satisfies readonly Column[];

/** The raw cells of a CSV record, and the line on which it begins. */
export interface CsvRecord {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row of a file, not yet validated. */
export interface SourceRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, unknown>>>;
  /** All cells as text, including those of unknown columns, in the order of the file. */
  readonly texts: readonly string[];
}

/** A part of a file that could not be parsed as a row. */
export interface UnreadableRow {
  readonly line: number;
  readonly unreadable: string;
  /** The cells parsed so far. */
  readonly cells: readonly string[];
}

/** An error or a conflict in a row. */
export interface Problem {
  readonly line: number;
  /** `null` when it concerns the whole row. */
  readonly column: Column | null;
  readonly message: string;
}

/** The column for a name, ignoring case and surrounding space. */
export function columnNamed(name: string): Column | undefined {
  const normalized = name.trim().toLowerCase();
  return knownColumns.find((column) => column === normalized);
}
