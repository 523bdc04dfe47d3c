import type { ComponentProps, ReactNode } from 'react';
import type { Option } from '../components/fields.tsx';
import { withMoved } from '../components/order.ts';

/** Every row of a list is a record with a name. */
export interface Listed {
  readonly id: number;
  readonly name: string;
}

export interface CellEdit<Row> {
  /** Its value in the form of the record, whose field has the id of the column. */
  value(row: Row): string;
  /** Whether it may have several lines. */
  readonly isLong?: boolean;
  /** Shown while one types: a hook. */
  readonly useSuggestions?: () => readonly string[];
  /** How people read a value, if not as it is. */
  shown?(value: string): string;
  /** What may be chosen, the present value among it; `undefined` for a field of text. */
  optionsFor?(value: string): readonly Option<string>[] | undefined;
  /** The keys that a touch screen offers. */
  readonly keys?: Pick<ComponentProps<'input'>, 'inputMode'>;
  /** The column of a file that has it. */
  readonly fileColumn: string;
}

export interface Column<Row> {
  /** Identifies it, in addresses too. */
  readonly id: string;
  readonly name: string;
  /** Its width: a track of the grid. */
  readonly width: string;
  /** Its text, shown as a whole while the pointer is on the cell. */
  text?(row: Row): string | null | undefined;
  /** What a cell shows, if not its text. */
  cell?(row: Row): ReactNode;
  readonly edit?: CellEdit<Row>;
  readonly orders?: { readonly ascending: string; readonly descending: string };
  /** Whether its first order is the descending one. */
  readonly isLatestFirst?: boolean;
  readonly look?: 'number' | 'quiet' | 'code' | 'mono';
  /** Also shown on a telephone, below the first column: at most two. */
  readonly isNarrow?: boolean;
  /** Shown on a telephone because the user has chosen it, in a line of its own. */
  readonly isChosen?: boolean;
  /** Hidden until the user chooses it. */
  readonly isExtra?: boolean;
}

/** A value of a column as people read it. */
export const shownIn = <Row>({ edit }: Pick<Column<Row>, 'edit'>, value: string): string =>
  edit?.shown?.(value) ?? value;

/** What a cell says as a text, as it is copied. */
export const textOf = <Row>({ edit, text }: Column<Row>, row: Row): string => edit?.value(row) ?? text?.(row) ?? '';

/** The style of its cells. */
export const classOf = ({ look, isNarrow, isChosen }: Pick<Column<unknown>, 'look' | 'isNarrow' | 'isChosen'>) =>
  [look, isNarrow && 'narrow', isChosen && 'chosen'].filter(Boolean).join(' ');

/**
 * The columns of a list, in the order of `names`, those with a width of the user's with its pixels: `name,code:120`. The
 * first column is always there.
 */
export function columnsOf<Row>(columns: readonly Column<Row>[], names: string | undefined): readonly Column<Row>[] {
  const chosen = new Map<string, Column<Row>>();
  for (const [, name = '', pixels] of names?.matchAll(/([^,:]+)(?::(\d{2,4})(?=,|$))?/g) ?? []) {
    const column = columns.find((one) => one.id === name);
    if (column !== undefined) chosen.set(name, pixels === undefined ? column : { ...column, width: `${pixels}px` });
  }
  const [first] = columns;
  if (first === undefined || chosen.size === 0) return columns.filter(({ isExtra }) => isExtra !== true);
  const others = [...chosen.values()].filter((column) => column.id !== first.id);
  return [chosen.get(first.id) ?? first, ...others];
}

export const namesOf = (columns: readonly Pick<Column<never>, 'id' | 'width'>[]): string =>
  columns.map(({ id, width }) => (/^\d+px$/.test(width) ? `${id}:${Number.parseInt(width, 10)}` : id)).join();

export const withWidth = <Row>(columns: readonly Column<Row>[], id: string, pixels: number): readonly Column<Row>[] =>
  columns.map((column) => (column.id === id ? { ...column, width: `${pixels}px` } : column));

/** Moves a column one place to the left or to the right; the first stays first. */
export function moved<Row>(columns: readonly Column<Row>[], id: string, by: -1 | 1): readonly Column<Row>[] {
  const from = columns.findIndex((column) => column.id === id);
  const to = from + by;
  return from < 1 || to < 1 ? columns : withMoved(columns, from, to);
}
