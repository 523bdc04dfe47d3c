import { FileError } from './errors.ts';
import { fileProblem } from './problems.ts';
import { type Columns, rowLengthMax, rowTooLong, type SourceRow, type UnreadableRow } from './rows.ts';

/** What rows may take from above, in characters: as many times those of the file, but so many always, and no more at all. */
const takenRatioMax = 100;
const [takenMin, takenMax] = [16_777_216, 2_147_483_648];

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/**
 * Creates what fills cells that are empty because they are as in the row above: a row without its keys gets all that it
 * lacks from the last row with some. Below a row that cannot be read nothing is known to be above.
 * The texts of a row are in the order of its header. A row that is too long then cannot be read.
 * @throws FileError when rows take long texts from above too often.
 */
export function createFillDown<Column extends string>(filled: Columns<Column>['filled']) {
  let above: SourceRow<Column> | undefined;
  let [given, taken] = [0, 0];
  return (
    row: SourceRow<Column> | UnreadableRow,
    header: readonly (Column | undefined)[],
  ): SourceRow<Column> | UnreadableRow => {
    if (filled === undefined) return row;
    // With what separates the cells.
    const length = lengthOf('unreadable' in row ? row.cells : row.texts) + header.length;
    given += length;
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
    const filledLength = lengthOf(texts) + header.length;
    taken += filledLength - length;
    if (taken > Math.min(takenMax, Math.max(takenMin, takenRatioMax * given))) {
      throw new FileError(fileProblem('FILLED_TOO_OFTEN'));
    }
    if (filledLength > rowLengthMax) return { line: row.line, unreadable: rowTooLong(), cells: [] };
    return { ...row, cells, texts };
  };
}
