import { FileError } from '../errors.ts';
import { rowOf, rowsBelowHeader } from '../header.ts';
import {
  columnsMax,
  type ReadingOptions,
  rowLengthMax,
  rowTooLong,
  type SourceRow,
  type UnreadableRow,
} from '../rows.ts';
import { damaged, openArchive } from './archive.ts';
import { columnNumber, lettersOf, rowsMax } from './references.ts';
import { numberText, withoutEscapes } from './values.ts';
import { readWorkbook, type Workbook } from './workbook.ts';
import { parseXml, type XmlHandler } from './xml.ts';

/** More is no workbook that people have made. */
const fileBytesMax = 1_073_741_824;

/**
 * Reads a visible sheet of a workbook, the first one without a name; its first row that is not blank names the columns in any order. Formulas
 * count as their last values.
 * @throws FileError when the file is no workbook, is damaged or too large, or a sheet or a required column is missing.
 */
export async function* readXlsxRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column> & { readonly sheet: string | undefined },
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const archive = await openArchive(await whole(source));
  const workbook = await readWorkbook(archive, options.sheet);
  options.onSheet(workbook.sheet.name, workbook.sheetNames);
  let isEmpty = true;
  async function* candidates() {
    for await (const row of readSheet(archive.read(workbook.sheet.part), workbook)) {
      isEmpty = false;
      // An absent cell is none of an array, and the header has all.
      const fault = row.faults.size > 0 ? [...row.faults.values()].join(' and ') : undefined;
      yield { line: row.line, texts: Array.from(row.texts, (text) => text ?? ''), fault, row };
    }
  }
  for await (const { header, row: candidate } of rowsBelowHeader(candidates(), options, ', one in each cell')) {
    const { line, texts, row } = candidate;
    const cells = header.map((_, index) => texts[index] ?? '');
    const faults = [...row.faults].filter(([index]) => header[index] !== undefined).map(([, fault]) => fault);
    if (row.length > rowLengthMax) yield { line, unreadable: rowTooLong, cells: [] };
    else if (faults.length > 0) yield { line, unreadable: faults.join(' and '), cells };
    else yield rowOf(header, line, cells);
  }
  if (isEmpty) throw new FileError(`The sheet ${workbook.sheet.name} is empty: it has no header row.`);
}

/** Archives are read from their end. */
async function whole(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > fileBytesMax) throw new FileError('The workbook is larger than 1 GiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

interface SheetRow {
  readonly line: number;
  /** By the number of the column from 0; absent for empty cells. */
  readonly texts: string[];
  /** Why cells have no value, by the number of their column. */
  readonly faults: Map<number, string>;
  /** Characters of all cells. */
  length: number;
}

/** The rows that are not blank. */
async function* readSheet(source: AsyncIterable<Buffer>, workbook: Workbook): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = [];
  const handler = createSheetHandler(workbook, (row) => rows.push(row));
  for await (const _ of parseXml(source, handler)) {
    const complete = rows;
    rows = [];
    yield* complete;
  }
}

interface OpenCell {
  readonly type: string;
  readonly style: number;
  readonly column: number;
  text: string;
  hasFormula: boolean;
}

/** Follows ECMA-376, part 1, 18.3.1: rows `row` of cells `c` with a value `v`, a formula `f` or a text `is`. */
function createSheetHandler(workbook: Workbook, onRow: (row: SheetRow) => void): XmlHandler {
  let row: SheetRow | undefined;
  let cell: OpenCell | undefined;
  let line = 0;
  let column = -1;
  let isValue = false;
  let isPronunciation = false;
  return {
    open: (name, attributes) => {
      if (name === 'row') {
        line = numberOf(attributes['r'], line + 1);
        row = { line, texts: [], faults: new Map(), length: 0 };
        column = -1;
      } else if (name === 'c' && row !== undefined) {
        column = columnNumber(attributes['r'], column + 1);
        const { t: type = 'n', s: style = '0' } = attributes;
        cell = { type, style: Number(style), column, text: '', hasFormula: false };
      } else if (name === 'f' && cell !== undefined) cell.hasFormula = true;
      else if (name === 'rPh') isPronunciation = true;
      else if (name === 'v' || name === 't') isValue = !isPronunciation;
    },
    text: (text) => {
      if (!isValue || cell === undefined || row === undefined || row.length > rowLengthMax) return;
      row.length += text.length;
      cell.text += text;
    },
    close: (name) => {
      if (name === 'rPh') isPronunciation = false;
      else if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell !== undefined && row !== undefined) {
        addCell(row, cell, workbook);
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        const isBlank = row.faults.size === 0 && row.texts.every((text) => text.trim() === '');
        if (!isBlank) onRow(row);
        row = undefined;
      }
    },
  };
}

function addCell(row: SheetRow, cell: OpenCell, workbook: Workbook): void {
  const { column, type, text, hasFormula } = cell;
  const name = `${lettersOf(column)}${row.line}`;
  if (type === 'e') row.faults.set(column, `has the error ${text} in cell ${name}`);
  else if (hasFormula && text === '' && type !== 'str') {
    row.faults.set(
      column,
      `has a formula without a value in cell ${name} (Excel calculates it when the file is opened and saved there)`,
    );
  } else if (text !== '') {
    const value = textOf(cell, workbook);
    // Shared texts are long by reference.
    if (type === 's') row.length += value.length;
    // One more than there may be, for the header.
    if (column <= columnsMax && row.length <= rowLengthMax) row.texts[column] = value;
  }
}

function textOf({ type, style, text }: OpenCell, { strings, formats, isFrom1904 }: Workbook): string {
  if (type === 's') {
    const shared = strings[Number(text)];
    if (shared === undefined) throw damaged(`There is no shared text ${text}.`);
    return shared;
  }
  if (type === 'b') return text === '1' || text === 'true' ? 'true' : 'false';
  if (type === 'n') return numberText(text, formats[style] ?? 'number', isFrom1904);
  return withoutEscapes(text);
}

function numberOf(text: string | undefined, next: number): number {
  const line = text === undefined ? next : Number(text);
  if (Number.isInteger(line) && line >= next && line <= rowsMax) return line;
  throw new FileError(`The sheet has a row ${text} after row ${next - 1}, which no sheet has.`);
}
