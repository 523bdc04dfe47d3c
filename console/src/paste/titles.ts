import { formatColumns, plain } from '../fields/file-columns.ts';
import type { Column } from '../table/columns.ts';
import type { Block } from './block.ts';

/** What a first row names that is left out of a paste. */
export interface Titles {
  /** The names of the columns that the cells go into. */
  readonly used: readonly string[];
  /** The headings that the list has no column for. */
  readonly unknown: readonly string[];
}

/** The rows of a block, and the columns of its cells. */
interface Placed<Row> {
  readonly block: Block;
  readonly columns: readonly Column<Row>[];
  /** Absent where the cells go by their places. */
  readonly titles?: Titles;
  /** The first row, where it looks like headings of which none is known: it goes by its place, too. */
  readonly unread?: readonly string[];
}

const isAlike = (title: string, cell: string): boolean => plain(title) !== '' && plain(title) === plain(cell);

const isShownAs = <Row>({ name, id, edit }: Column<Row>, cell: string): boolean =>
  [name, id, edit?.fileColumn ?? ''].some((title) => isAlike(title, cell));

/** Whether files call a column so. */
const isCalled = (column: string | undefined, cell: string): boolean =>
  formatColumns.some(
    (one) =>
      one.column === column && (isAlike(column, cell) || isAlike(one.text, cell) || one.synonyms.includes(plain(cell))),
  );

const isOfFiles = (cell: string): boolean => formatColumns.some(({ column }) => isCalled(column, cell));

const hasDigit = (cell: string | undefined): boolean => /\p{Nd}/u.test(cell ?? '');

/**
 * Whether cells look like headings of the rows below them: all differ, none has a digit, and one of their columns has
 * digits in every row, as codes, durations and numbers have. A table of names alone cannot be told from its headings.
 */
const lookLikeTitles = (first: readonly string[], rows: Block): boolean =>
  rows.length >= 2 &&
  first.length >= 2 &&
  first.every((cell) => plain(cell) !== '' && !hasDigit(cell)) &&
  new Set(first.map(plain)).size === first.length &&
  first.some((_, at) => rows.every((cells) => hasDigit(cells[at])));

/** So many headings make a first row one that names columns, also beside cells that are none. */
const enough = 3;

/**
 * Reads a first row that names the columns of a block, as the list or a file does, in any order: no record is called so.
 * It is no such row where a single cell is like a heading by chance, other than that of the very column it would go into.
 *
 * @param from The place of the column that the first cell goes into, else.
 */
export function readTitles<Row>(block: Block, columns: readonly Column<Row>[], from: number): Placed<Row> {
  const byPlace = columns.slice(from);
  const [first = [], ...rows] = block;
  const found = new Map<number, Column<Row>>();
  for (const isMeant of [
    isShownAs<Row>,
    (column: Column<Row>, cell: string) => isCalled(column.edit?.fileColumn, cell),
  ])
    for (const [at, cell] of first.entries()) {
      const column = columns.find((one) => isMeant(one, cell) && ![...found.values()].includes(one));
      if (column !== undefined && !found.has(at)) found.set(at, column);
    }
  const known = first.filter((cell) => columns.some((one) => isShownAs(one, cell)) || isOfFiles(cell));
  const different = new Set(known.map(plain)).size;
  const isAllKnown = known.length === first.filter((cell) => cell.trim() !== '').length;
  const isInPlace =
    byPlace.length > 0 && byPlace.slice(0, first.length).every((column, at) => found.get(at) === column);
  const areTitles = isInPlace || (different >= 2 && isAllKnown) || different >= enough;
  if (rows.length === 0 || !areTitles)
    return { block, columns: byPlace, ...(lookLikeTitles(first, rows) && { unread: first }) };
  const places = [...found.keys()].sort((one, other) => one - other);
  const width = Math.max(...block.map(({ length }) => length));
  const others = Array.from({ length: width }, (_, at) => at).filter((at) => !found.has(at));
  const used = places.flatMap((at) => found.get(at) ?? []);
  return {
    block: rows.map((cells) => places.map((at) => cells[at] ?? '')),
    columns: used,
    titles: {
      used: used.map(({ name }) => name),
      // A column without a heading is named by its first value.
      unknown: others.flatMap((at) => block.map((cells) => cells[at]?.trim() ?? '').find((cell) => cell !== '') ?? []),
    },
  };
}
