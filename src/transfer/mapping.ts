import type { Column } from './columns.ts';
import { FileError } from './errors.ts';

/** Columns of the format by what they are called in a file, in lower case. */
export type ColumnMapping = ReadonlyMap<string, Column>;

/** What every reader of rows takes. */
export interface ReadingOptions {
  readonly mapping: ColumnMapping;
  /** Gets the names of all columns, before any row. */
  readonly onHeader: (names: readonly string[]) => void;
  /** Gets the names of columns that mean nothing here, if there are any. */
  readonly onIgnored: (names: readonly string[]) => void;
}

/** The form in which a name of a column is compared. */
export const normalizedName = (name: string): string => name.trim().toLowerCase();

/**
 * Requires that a file has every column that a mapping names.
 *
 * @throws FileError
 */
export function requireMapped(mapping: ColumnMapping, names: readonly string[]): void {
  const normalized = new Set(names.map(normalizedName));
  const missing = [...mapping.keys()].filter((name) => !normalized.has(name));
  if (missing.length > 0) throw new FileError(`The first row has no column ${missing.join(', nor ')}.`);
}
