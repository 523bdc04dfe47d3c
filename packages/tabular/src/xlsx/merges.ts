import { FileError } from '../errors.ts';
import { columnsMax, rowLengthMax } from '../rows.ts';
import { columnNumber, rowsMax } from './references.ts';
import type { PlacedText } from './values.ts';
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
  /** Ranges that a row is in, by column from 0. */
  of(row: number): ReadonlyMap<number, Merge>;
}

/**
 * Reads the merged cells of a sheet, which it names after its rows.
 * @throws FileError for too many, and for cells that are merged twice.
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
    if (merges.length > mergesMax) throw new FileError('The sheet has too many merged cells.');
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

function mergeOf(reference: string): Merge {
  const [first = '', last = first] = reference.replaceAll('$', '').split(':');
  const rowOf = (cell: string): number => Number(/\d+$/.exec(cell)?.[0]);
  const merge = {
    firstRow: rowOf(first),
    lastRow: Math.min(rowsMax, rowOf(last)),
    firstColumn: columnNumber(first, 0),
    lastColumn: Math.min(columnsMax, columnNumber(last, 0)),
  };
  if (merge.firstRow >= 1 && merge.lastRow >= merge.firstRow) return merge;
  throw new FileError(`The sheet has merged cells ${reference.slice(0, 20)}, which no sheet has.`);
}

/** Follows the rows, so that each cell costs a look-up, however many merges there are. */
function followed(merges: readonly Merge[]): Merges {
  const active = new Map<number, Merge>();
  let next = 0;
  let firstEnd = Number.POSITIVE_INFINITY;
  return {
    of: (row) => {
      if (row > firstEnd) {
        for (const [column, { lastRow }] of active) if (lastRow < row) active.delete(column);
        firstEnd = Math.min(...[...active.values()].map(({ lastRow }) => lastRow));
      }
      for (let merge = merges[next]; merge !== undefined && merge.firstRow <= row; merge = merges[next]) {
        next += 1;
        if (merge.lastRow < row) continue;
        firstEnd = Math.min(firstEnd, merge.lastRow);
        for (let column = merge.firstColumn; column <= merge.lastColumn; column += 1) {
          if (active.has(column)) throw new FileError(`The sheet has cells in row ${row} that are merged twice.`);
          active.set(column, merge);
        }
      }
      return active;
    },
  };
}

/** Keeps the value of the first cell for the other rows. @throws FileError when those of a row are longer than a row. */
export function keepValue(merge: Merge, value: PlacedText, active: ReadonlyMap<number, Merge>): void {
  merge.value = value;
  let length = 0;
  for (const { value: kept } of new Set(active.values())) length += kept?.text.length ?? 0;
  if (length > rowLengthMax) throw new FileError('The sheet has merged cells whose texts are too long.');
}
