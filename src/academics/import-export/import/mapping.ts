import { FileError } from '@service/tabular/errors';
import type { Column } from '../columns.ts';

/** Columns of the format by their names in the file, in lower case. */
export type ColumnMapping = ReadonlyMap<string, Column>;

export interface ReadingOptions {
  readonly mapping: ColumnMapping;
  readonly onHeader: (names: readonly string[]) => void;
  readonly onIgnored: (names: readonly string[]) => void;
}

export const normalizedName = (name: string): string => name.trim().toLowerCase();

/** @throws FileError unless the file has every column of the mapping. */
export function requireMapped(mapping: ColumnMapping, names: readonly string[]): void {
  const normalized = new Set(names.map(normalizedName));
  const missing = [...mapping.keys()].filter((name) => !normalized.has(name));
  if (missing.length > 0) throw new FileError(`The first row has no column ${missing.join(', nor ')}.`);
}
