import { restingTurn } from '@service/http/resting-turns';
import { columnsMax } from '@service/tabular/rows';
import { stringify } from 'csv-stringify/sync';
import type { RowProblem } from './columns.ts';

/** A row with problems, with its cells as they are in the file. */
export interface RejectedRow {
  readonly line: number;
  readonly texts: readonly string[];
  readonly problems: readonly RowProblem[];
}

/** A row with problems, as it is kept and written. */
interface RejectedLine extends Pick<RejectedRow, 'line' | 'texts'> {
  readonly message: string;
}

/** The first rows with problems of a file, and the names of its columns. */
export interface RejectedRows {
  readonly names: readonly string[];
  readonly rows: readonly RejectedLine[];
}

/** Characters of all cells and messages together. */
const lengthMax = 1_000_000;
/** Problems of a row that its message has. */
const problemsMax = 20;
/** Serialized within milliseconds. */
const turnLength = 65_536;

export interface RejectedRowList extends RejectedRows {
  setNames(names: readonly string[]): void;
  /** Adds a row, without its cells when they are too many or too long together with those before. */
  add(row: RejectedRow): void;
}

/** Collects the first `rowsMax` rows, in bounded memory. */
export function createRejectedRows(rowsMax: number): RejectedRowList {
  const rows: RejectedLine[] = [];
  let names: readonly string[] = [];
  let lengthLeft = lengthMax;
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
      const kept = { line: row.line, texts: row.texts, message: messageOf(row.problems) };
      const length = row.texts.length > columnsMax ? Number.POSITIVE_INFINITY : lengthOf(kept);
      const fits = length <= lengthLeft;
      if (fits) lengthLeft -= length;
      rows.push(fits ? kept : { line: row.line, texts: [], message: messageOf(row.problems.slice(0, 1)) });
    },
  };
}

const lengthOf = ({ texts, message }: RejectedLine): number =>
  texts.reduce((sum, text) => sum + text.length, message.length);

function messageOf(problems: readonly RowProblem[]): string {
  const messages = problems.slice(0, problemsMax).map(({ message }) => message);
  const more = problems.length - messages.length;
  return [...messages, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

/** The header of a CSV file of rejected rows, for a file with columns of these names. */
export const rejectedHeader = (names: readonly string[]): string => stringify([['line', 'problem', ...names]]);

/** A line of that file: the line where the row begins, its problems, and its cells, to correct and import. */
export const rejectedLine = ({ line, texts, problems }: RejectedRow): string =>
  stringify([[line, messageOf(problems), ...texts]]);

/** Serializes the whole file in turns of the event loop; `null` without rows. */
export async function rejectedCsv({ names, rows }: RejectedRows): Promise<string | null> {
  if (rows.length === 0) return null;
  const lines = [rejectedHeader(names)];
  let length = 0;
  for (const row of rows) {
    const line = stringify([[row.line, row.message, ...row.texts]]);
    lines.push(line);
    length += line.length;
    if (length < turnLength) continue;
    await restingTurn();
    length = 0;
  }
  return lines.join('');
}
