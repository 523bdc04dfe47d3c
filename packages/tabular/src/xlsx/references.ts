import { excerpt } from '@service/errors';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';

/** Rows that a sheet can have. */
export const rowsMax = 1_048_576;

const letters = 26;
const codeBeforeA = 64;

/** The number of the column, from 0, of a cell such as `AB12`; `next` for a cell without a reference. */
export function columnNumber(reference: string | undefined, next: number): number {
  if (reference === undefined) return next;
  const name = /^[A-Z]{1,3}/i.exec(reference)?.[0];
  if (name === undefined)
    throw new FileError(fileProblem('IMPOSSIBLE_SHEET', { what: `a cell ${excerpt(reference)}` }));
  return [...name.toUpperCase()].reduce((sum, letter) => sum * letters + letter.charCodeAt(0) - codeBeforeA, 0) - 1;
}

/** The letters of a column, from 0. */
export function lettersOf(column: number): string {
  const before = Math.floor(column / letters);
  return (before > 0 ? lettersOf(before - 1) : '') + String.fromCharCode(codeBeforeA + 1 + (column % letters));
}
