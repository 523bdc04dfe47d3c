import { stringify } from 'csv-stringify/sync';
import type { Problem } from './columns.ts';

/** A row with problems, with its cells as they are in the file. */
export interface RejectedRow {
  readonly line: number;
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

/** The first rows with problems of a file, and the names of its columns. */
export interface RejectedRows {
  readonly names: readonly string[];
  readonly rows: readonly RejectedRow[];
}

/** The header of a CSV file of rejected rows, for a file with columns of these names. */
export const rejectedHeader = (names: readonly string[]): string => stringify([['line', 'problem', ...names]]);

/** A line of that file: where the row begins, what is wrong with it, and its cells, to be corrected and imported. */
export const rejectedLine = ({ line, texts, problems }: RejectedRow): string =>
  stringify([[line, problems.map(({ message }) => message).join(' '), ...texts]]);

/** The whole file; `null` without rows. */
export const rejectedCsv = ({ names, rows }: RejectedRows): string | null =>
  rows.length === 0 ? null : rejectedHeader(names) + rows.map(rejectedLine).join('');
