import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { Column, Listed } from '../columns.ts';
import type { Grid, Step, TypedCell } from '../grid.ts';

interface CellEditorOptions<Row> {
  readonly grid: Grid<Row> | undefined;
  readonly items: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The place of a column in its row. */
  readonly cellOf: (column: Column<Row>) => number;
  readonly focusCell: (index: number, cell: number) => void;
}

type Move = Exclude<Step, 'away' | 'next' | 'previous'>;
/** By how many rows and cells the focus moves. */
const moves: Readonly<Record<Move, readonly [number, number]>> = {
  stay: [0, 0],
  down: [1, 0],
  up: [-1, 0],
  on: [0, 1],
  back: [0, -1],
};

/**
 * Renders the field of the cell that has the focus or is edited, after which the focus goes on. Unchanged from one
 * rendering to the next.
 */
export function useCellEditor<Row extends Listed>(options: CellEditorOptions<Row>) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const leave = useCallback((row: Row, column: Column<Row>, step: Step): void => {
    const { grid, items, columns, cellOf, focusCell } = latest.current;
    grid?.leave();
    if (step === 'away') return;
    const index = items.findIndex(({ id }) => id === row.id);
    if (step !== 'next' && step !== 'previous') {
      const [rows, cells] = moves[step];
      focusCell(index + rows, cellOf(column) + cells);
      // Below a name comes the cell of one, not its link: what is typed next is a name, too.
      if (rows !== 0) document.activeElement?.closest('td')?.focus();
      return;
    }
    const by = step === 'next' ? 1 : -1;
    const editable = columns.filter(({ edit }) => edit !== undefined);
    const at = editable.findIndex((one) => one.id === column.id) + by;
    // After the last cell of a row comes the first of the next.
    const nextRow = editable[at] === undefined ? items[index + by] : row;
    const nextColumn = editable[at] ?? editable.at(by > 0 ? 0 : -1);
    if (nextRow === undefined || nextColumn === undefined) {
      focusCell(index, cellOf(column));
      return;
    }
    focusCell(items.indexOf(nextRow), cellOf(nextColumn));
    grid?.begin(nextRow.id, nextColumn.id, true);
  }, []);
  const render = options.grid?.editor;
  const editor = useCallback(
    (row: Row, column: Column<Row>, before: TypedCell | undefined, isOpen: boolean): ReactNode =>
      render?.({
        row,
        column,
        before,
        isOpen,
        open: () => latest.current.grid?.begin(row.id, column.id),
        leave: (step) => leave(row, column, step),
      }),
    [render, leave],
  );
  return render === undefined ? undefined : editor;
}
