import type { ReactNode, RefObject } from 'react';
import type { Column } from './columns.ts';

/** Text typed into a cell, until its list shows it. */
export interface TypedCell {
  readonly typed: string;
  /** Whether it is sent once the connection is back. */
  readonly waits?: boolean | undefined;
  readonly problem?: string | undefined;
  /** The value of somebody else that it would replace. */
  readonly theirs?: string | undefined;
  /** The values that the user has seen. */
  readonly known?: readonly string[];
}

/** Direction of the focus after an edit: `away` if the user has moved it. */
export type Step = 'away' | 'stay' | 'down' | 'up' | 'on' | 'back' | 'next' | 'previous';

export interface EditorProps<Row> {
  readonly row: Row;
  readonly column: Column<Row>;
  readonly before: TypedCell | undefined;
  /** Whether it is edited: else it has the focus, and is opened by what is typed. */
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly leave: (step: Step) => void;
}

/** How the cells of a grid are edited. */
export interface Grid<Row> {
  readonly table: RefObject<HTMLTableElement | null>;
  /** The cell that is edited, by the id of its row and its column. */
  readonly editing: { readonly id: number; readonly column: string } | null;
  readonly begin: (id: number, column: string, byTab?: boolean) => void;
  readonly leave: () => void;
  /** Returns the typed texts of a row by column. */
  readonly typedIn: (row: Row) => ReadonlyMap<string, TypedCell> | undefined;
  /** Unchanged from one rendering to the next. */
  readonly editor?: (props: EditorProps<Row>) => ReactNode;
}
