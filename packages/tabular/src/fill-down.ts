import type { Columns, SourceRow, UnreadableRow } from './rows.ts';

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/**
 * Creates what fills cells that are empty because they are as in the row above: a row without its keys gets all that it
 * lacks from the last row with some. Below a row that cannot be read nothing is known to be above.
 * The texts of a row are in the order of its header.
 */
export function createFillDown<Column extends string>(filled: Columns<Column>['filled']) {
  let above: SourceRow<Column> | undefined;
  return (
    row: SourceRow<Column> | UnreadableRow,
    header: readonly (Column | undefined)[],
  ): SourceRow<Column> | UnreadableRow => {
    if (filled === undefined) return row;
    if ('unreadable' in row || filled.keys.some((key) => !isEmpty(row.cells[key]))) {
      above = 'unreadable' in row ? undefined : row;
      return row;
    }
    const isOfAbove = header.some(
      (column) => column !== undefined && !filled.has(column) && !isEmpty(row.cells[column]),
    );
    if (above === undefined || !isOfAbove) return row;
    const cells: Partial<Record<Column, unknown>> = { ...row.cells };
    const texts = [...row.texts];
    for (const [at, column] of header.entries()) {
      if (column === undefined || !filled.has(column) || !isEmpty(cells[column])) continue;
      cells[column] = above.cells[column];
      texts[at] = above.texts[at] ?? '';
    }
    return { ...row, cells, texts };
  };
}
