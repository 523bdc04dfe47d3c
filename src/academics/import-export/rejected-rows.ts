import { setImmediate } from 'node:timers/promises';
import { columnsMax } from '@service/tabular/rows';
import { stringify } from 'csv-stringify/sync';
import type { RowProblem } from './columns.ts';

/** A row with problems, with its cells as they are in the file. */
export interface RejectedRow {
  readonly line: number;
  readonly texts: readonly string[];
  readonly problems: readonly RowProblem[];
}

/** The first rows with problems of a file, and the names of its columns. */
export interface RejectedRows {
  readonly names: readonly string[];
  readonly rows: readonly RejectedRow[];
}

/** Characters of all cells together. */
const cellsLengthMax = 1_000_000;
/** Serialized within milliseconds. */
const turnLength = 65_536;

export interface RejectedRowList extends RejectedRows {
  setNames(names: readonly string[]): void;
  /** Adds a row, without its cells when they are too many or too long together with those before. */
  add(row: RejectedRow): void;
}

/** Collects the first `rowsMax` rows, in bounded memory. */
export function createRejectedRows(rowsMax: number): RejectedRowList {
  const rows: RejectedRow[] = [];
  let names: readonly string[] = [];
  let lengthLeft = cellsLengthMax;
  return {
    rows,
    get names() {
      return names;
    },
    setNames: (given) => {
      names = given;
    },
    add: (row) => {
      if (rows.length >= rowsMax) return;
      const length = row.texts.length > columnsMax ? Number.POSITIVE_INFINITY : lengthOf(row);
      const fits = length <= lengthLeft;
      if (fits) lengthLeft -= length;
      rows.push(fits ? row : { ...row, texts: [] });
    },
  };
}

const lengthOf = ({ texts }: RejectedRow): number => texts.reduce((sum, text) => sum + text.length, 0);

/** The header of a CSV file of rejected rows, for a file with columns of these names. */
export const rejectedHeader = (names: readonly string[]): string => stringify([['line', 'problem', ...names]]);

/** A line of that file: the line where the row begins, its problems, and its cells, to correct and import. */
export const rejectedLine = ({ line, texts, problems }: RejectedRow): string =>
  stringify([[line, problems.map(({ message }) => message).join(' '), ...texts]]);

/** Serializes the whole file in turns of the event loop; `null` without rows. */
export async function rejectedCsv({ names, rows }: RejectedRows): Promise<string | null> {
  if (rows.length === 0) return null;
  const lines = [rejectedHeader(names)];
  let length = 0;
  for (const row of rows) {
    const line = rejectedLine(row);
    lines.push(line);
    length += line.length;
    if (length < turnLength) continue;
    await setImmediate();
    length = 0;
  }
  return lines.join('');
}
