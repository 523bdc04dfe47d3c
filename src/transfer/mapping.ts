import type { Column } from './columns.ts';
import { FileError } from './errors.ts';

/** Columns of the format by their names in the file, in lower case. */
export type ColumnMapping = ReadonlyMap<string, Column>;

export interface ReadingOptions {
  readonly mapping: ColumnMapping;
  /** Called with the names of all columns, before the first row. */
  readonly onHeader: (names: readonly string[]) => void;
  /** Called with the names of unknown columns, if any. */
  readonly onIgnored: (names: readonly string[]) => void;
}

/** The form in which column names are compared. */
export const normalizedName = (name: string): string => name.trim().toLowerCase();

/**
 * Requires that a file has every column of a mapping.
 *
 * @throws FileError otherwise.
 */
export function requireMapped(mapping: ColumnMapping, names: readonly string[]): void {
  const normalized = new Set(names.map(normalizedName));
  const missing = [...mapping.keys()].filter((name) => !normalized.has(name));
  if (missing.length > 0) throw new FileError(`The first row has no column ${missing.join(', nor ')}.`);
}
