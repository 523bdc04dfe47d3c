import type { CellValue } from '@service/tabular/xlsx';
import { stringify } from 'csv-stringify/sync';

/** Excel takes CSV without it for text of the local code page. */
export const byteOrderMark = '\uFEFF';

/**
 * Matches places where a spreadsheet could see the beginning of a formula: in countries whose separator is no comma,
 * quotes within a line keep neither a semicolon nor a line break together with the rest of its cell.
 */
const beforeFormula = /([;\t|\r\n])(?=["'\s]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const beginsAsFormula = /^(?:["'\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** With an apostrophe where a spreadsheet would see a formula. */
export function withoutFormulas(value: CellValue): CellValue {
  if (typeof value !== 'string') return value;
  return (beginsAsFormula.test(value) ? "'" : '') + value.replace(beforeFormula, "$1'");
}

/** Writes records as CSV for spreadsheets, with a header. */
export function spreadsheetCsv<Column extends string>(
  columns: readonly Column[],
  records: readonly Readonly<Record<Column, CellValue | Date>>[],
): string {
  const cell = (value: CellValue | Date) => (value instanceof Date ? value.toISOString() : withoutFormulas(value));
  return (
    byteOrderMark + stringify([columns, ...records.map((record) => columns.map((column) => cell(record[column])))])
  );
}
