import type { ReactNode } from 'react';

/** Every row of a list is a record with a name. */
export interface Listed {
  readonly id: number;
  readonly name: string;
}

export interface Column<Row> {
  readonly id: string;
  /** Its heading. */
  readonly name: string;
  /** Its width: a track of the grid. */
  readonly width: string;
  cell(row: Row): ReactNode;
  /** The whole text, shown while the pointer is on the cell. */
  whole?(row: Row): string | null | undefined;
  /** The orders of the list by this column. */
  readonly orders?: { readonly ascending: string; readonly descending: string };
  readonly look?: 'number' | 'quiet' | 'mono';
  /** Also shown on a telephone, below the first column: at most two. */
  readonly isNarrow?: boolean;
  /** Hidden until the user chooses it. */
  readonly isExtra?: boolean;
}

/** The columns of a list, in the order of `names`: `name,code,duration`. The first column is always there. */
export function columnsOf<Row>(columns: readonly Column<Row>[], names: string | undefined): readonly Column<Row>[] {
  const [first] = columns;
  const chosen = (names?.split(',') ?? []).flatMap((name) => columns.find(({ id }) => id === name) ?? []);
  if (first === undefined || chosen.length === 0) return columns.filter(({ isExtra }) => isExtra !== true);
  return [first, ...new Set(chosen.filter((column) => column !== first))];
}

export const namesOf = (columns: readonly { readonly id: string }[]): string => columns.map(({ id }) => id).join(',');

/** Moves a column one place to the left or to the right; the first stays first. */
export function moved<Row>(columns: readonly Column<Row>[], id: string, by: -1 | 1): readonly Column<Row>[] {
  const from = columns.findIndex((column) => column.id === id);
  const column = columns[from];
  const to = from + by;
  if (column === undefined || from < 1 || to < 1 || to >= columns.length) return columns;
  return columns.toSpliced(from, 1).toSpliced(to, 0, column);
}
