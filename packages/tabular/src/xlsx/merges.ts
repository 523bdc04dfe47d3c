import { excerpt } from '@service/errors';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import { columnsMax, rowLengthMax } from '../rows.ts';
import type { PlacedText } from './cell-text.ts';
import { columnNumber, rowsMax } from './references.ts';
import { parseXml } from './xml.ts';

/** Merged ranges of a sheet: a table that people have made has fewer. */
const mergesMax = 200_000;

interface Merge {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The value of the first cell; the others are invisible. */
  value?: PlacedText;
}

/** Cells that are merged show one value in all their rows. Rows are asked for in their order. */
export interface Merges {
  /** Goes to a row. @throws FileError for cells of it that are merged twice. */
  enter(row: number): void;
  /** The range that a cell of the row is in, by column from 0. */
  at(column: number): Merge | undefined;
  /** All ranges that the row is in. */
  all(): Iterable<Merge>;
  /** Keeps the value of the first cell for the other rows. @throws FileError when those of a row are longer than a row. */
  keep(merge: Merge, value: PlacedText): void;
}

/**
 * Reads the merged cells of a sheet, which it names after its rows.
 * @throws FileError for too many, and for a range that no sheet has.
 */
export async function readMerges(read: () => AsyncIterable<Buffer>): Promise<Merges> {
  const merges: Merge[] = [];
  if (!(await mentionsMerges(read()))) return followed(merges);
  const chunks = parseXml(read(), {
    open: (name, { ref }) => {
      if (name === 'mergeCell' && ref !== undefined && merges.length <= mergesMax) merges.push(mergeOf(ref));
    },
  });
  for await (const _ of chunks) {
    if (merges.length > mergesMax)
      throw new FileError(fileProblem('WORKBOOK_TOO_LARGE', { what: 'The sheet has too many merged cells' }));
  }
  return followed(merges.sort((one, other) => one.firstRow - other.firstRow));
}

const marks = [Buffer.from('mergeCell'), Buffer.from('mergeCell', 'utf16le')];

/** Whether it is worth to parse a sheet for them, which takes ten times as long. */
async function mentionsMerges(source: AsyncIterable<Buffer>): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    if (marks.some((mark) => bytes.includes(mark))) return true;
    rest = bytes.subarray(-2 * 'mergeCell'.length);
  }
  return false;
}

const range = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/i;

function mergeOf(reference: string): Merge {
  const [, firstColumn, firstRow, lastColumn = firstColumn, lastRow = firstRow] = range.exec(reference) ?? [];
  const merge = {
    firstRow: Number(firstRow),
    lastRow: Math.min(rowsMax, Number(lastRow)),
    firstColumn: columnNumber(firstColumn, 0),
    lastColumn: Math.min(columnsMax, columnNumber(lastColumn, 0)),
  };
  if (merge.firstRow >= 1 && merge.lastRow >= merge.firstRow) return merge;
  throw new FileError(fileProblem('IMPOSSIBLE_SHEET', { what: `merged cells ${excerpt(reference)}` }));
}

/** Follows the rows: a range costs its columns when it begins and ends, however many there are. */
function followed(merges: readonly Merge[]): Merges {
  /** For each column the number of its range in `merges`, from 1. */
  const inColumn = new Int32Array(columnsMax + 1);
  const active = new Set<Merge>();
  const endingIn = new Map<number, Merge[]>();
  let next = 0;
  let current = 0;
  /** Characters of the values that are kept. */
  let length = 0;
  const begin = (merge: Merge): void => {
    const columns = inColumn.subarray(merge.firstColumn, merge.lastColumn + 1);
    if (columns.some((number) => number > 0)) {
      throw new FileError(fileProblem('IMPOSSIBLE_SHEET', { what: `cells in row ${current} that are merged twice` }));
    }
    columns.fill(next);
    active.add(merge);
    const ending = endingIn.get(merge.lastRow);
    if (ending === undefined) endingIn.set(merge.lastRow, [merge]);
    else ending.push(merge);
  };
  const end = (merge: Merge): void => {
    inColumn.fill(0, merge.firstColumn, merge.lastColumn + 1);
    active.delete(merge);
    length -= merge.value?.text.length ?? 0;
  };
  return {
    enter: (row) => {
      for (; current < row; current += 1) {
        for (const merge of endingIn.get(current) ?? []) end(merge);
        endingIn.delete(current);
      }
      for (let merge = merges[next]; merge !== undefined && merge.firstRow <= row; merge = merges[next]) {
        next += 1;
        if (merge.lastRow >= row) begin(merge);
      }
    },
    at: (column) => merges[(inColumn[column] ?? 0) - 1],
    all: () => active,
    keep: (merge, value) => {
      length += value.text.length - (merge.value?.text.length ?? 0);
      merge.value = value;
      if (length > rowLengthMax)
        throw new FileError(
          fileProblem('WORKBOOK_TOO_LARGE', { what: 'The sheet has merged cells whose texts are too long' }),
        );
    },
  };
}
