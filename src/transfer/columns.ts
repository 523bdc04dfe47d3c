/** The columns of the import format, in the order that `export` writes them (`contract.md` 9). */
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

export type Column = (typeof columns)[number];

/** The columns that a table must have; without the others, every row has their defaults. */
export const requiredColumns = [
  'program_name',
  'program_duration',
  'branch_name',
  'branch_years',
] as const satisfies readonly Column[];

/** One row of a file as it stands there, not checked yet. */
export interface SourceRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, unknown>>>;
}

/** Something in a file that could not even be read as a row. */
export interface UnreadableRow {
  readonly line: number;
  readonly unreadable: string;
}

/** What is wrong with a row, or worth knowing about it. */
export interface Problem {
  readonly line: number;
  /** `null` when it is about the row as a whole. */
  readonly column: Column | null;
  readonly message: string;
}

export function isColumn(name: string): name is Column {
  return columns.some((column) => column === name);
}
