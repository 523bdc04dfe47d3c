import type { CellValue } from '@service/tabular/xlsx';
import { stringify } from 'csv-stringify/sync';

/** Excel takes CSV without it for text of the local code page. */
export const byteOrderMark = '\uFEFF';

/**
 * What may stand before a formula, from its first character: in countries whose separator is no comma, quotes within a
 * line keep neither a semicolon nor a line break together with the rest of its cell.
 */
const beforeFormula = /(?<![;|"'\s])[;|"'\s]+(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const beginsAsFormula = /^(?:["'\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** With an apostrophe where a spreadsheet would see a formula: after each separator that has only quotes and spaces behind it. */
export function withoutFormulas(value: CellValue): CellValue {
  if (typeof value !== 'string') return value;
  const safe = value.replace(beforeFormula, (before) => {
    const last = Math.max(before.lastIndexOf(';'), before.lastIndexOf('|'), 0);
    return before.slice(0, last) + before.slice(last).replace(/[;\t|\r\n]/g, "$&'");
  });
  return (beginsAsFormula.test(value) ? "'" : '') + safe;
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
