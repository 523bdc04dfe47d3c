import type { Problem } from '@service/errors/problems';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import {
  columnsMax,
  isBlank,
  type ReadingOptions,
  rowLengthMax,
  rowTooLong,
  type SourceRow,
  type TableRow,
  type UnreadableRow,
} from '../rows.ts';
import { readTable } from '../table.ts';
import { type Archive, openArchive } from './archive.ts';
import { keepValue, type Merges, readMerges } from './merges.ts';
import { generalFormat } from './number-format.ts';
import { columnNumber, lettersOf, rowsMax } from './references.ts';
import type { PlacedText } from './values.ts';
import { type CellText, formattedText, numberText, withoutEscapes } from './values.ts';
import { readWorkbook, type Workbook } from './workbook.ts';
import { parseXml, type XmlHandler } from './xml.ts';

/** People make no larger workbooks. */
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
  const archive = await openArchive(await whole(source), options.signal);
  const workbook = await readWorkbook(archive, options.sheet);
  const { sheet, sheetNames } = workbook;
  options.onSheet(sheet.name, sheetNames);
  yield* readTable(readSheet(archive, workbook), options, {
    separated: ', one in each cell',
    empty: () => fileProblem('EMPTY_SHEET', { sheet: sheet.name }),
    endsWithHeader: false,
  });
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
  readonly texts: string[];
  readonly faults: Map<number, Problem>;
  readonly numbers: Map<number, string>;
  readonly doubts: Map<number, Problem>;
  readonly merges: ReturnType<Merges['of']>;
  /** Characters of all cells. */
  length: number;
}

/** The rows that are not blank. */
async function* readSheet(archive: Archive, workbook: Workbook): AsyncGenerator<TableRow> {
  const merges = await readMerges(() => archive.read(workbook.sheet.part));
  let rows: TableRow[] = [];
  const handler = createSheetHandler(workbook, merges, (row) => rows.push(row));
  for await (const _ of parseXml(archive.read(workbook.sheet.part), handler)) {
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
function createSheetHandler(workbook: Workbook, merges: Merges, onRow: (row: TableRow) => void): XmlHandler {
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
        const [faults, numbers, doubts] = [new Map(), new Map(), new Map()];
        row = { line, texts: [], faults, numbers, doubts, merges: merges.of(line), length: 0 };
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
      const length = (row?.length ?? 0) + (cell?.text.length ?? 0);
      if (isValue && cell !== undefined && length <= rowLengthMax) cell.text += text;
    },
    close: (name) => {
      if (name === 'rPh') isPronunciation = false;
      else if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell !== undefined && row !== undefined) {
        addCell(row, cell, workbook);
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        if (row.faults.size > 0 || !isBlank(row.texts)) onRow(finished(row));
        row = undefined;
      }
    },
  };
}

/** Adds the values of cells that are merged with others above. */
function finished(row: SheetRow): TableRow {
  const { line, faults, numbers, doubts } = row;
  for (const [column, { firstRow, firstColumn, value }] of row.merges) {
    if (column === firstColumn && firstRow < line && value !== undefined) setCell(row, column, value);
  }
  if (row.length > rowLengthMax) return { line, texts: [], unreadable: rowTooLong() };
  return { line, texts: Array.from(row.texts, (text = '') => text), faults, numbers, doubts };
}

function addCell(row: SheetRow, cell: OpenCell, workbook: Workbook): void {
  const { column, type, text, hasFormula } = cell;
  const merge = row.merges.get(column);
  // Cells below a merged one are invisible.
  if (merge !== undefined && (merge.firstColumn !== column || merge.firstRow !== row.line)) return;
  if (row.length > rowLengthMax) return;
  const name = `${lettersOf(column)}${row.line}`;
  if (type === 'e') row.faults.set(column, fileProblem('CELL_ERROR', { error: text, cell: name }));
  else if (hasFormula && text === '' && type !== 'str') {
    row.faults.set(column, fileProblem('NO_VALUE', { cell: name }));
  } else if (text !== '') {
    const { doubt, ...value } = textOf(cell, workbook);
    const found = {
      ...value,
      ...(doubt !== undefined && { doubt: fileProblem('NOT_AS_SHOWN', { doubt, cell: name }) }),
    };
    setCell(row, column, found);
    if (merge !== undefined && merge.lastRow > row.line) keepValue(merge, found, row.merges);
  }
}

function setCell(row: SheetRow, column: number, { text, number, doubt }: PlacedText): void {
  // One column more than allowed, so that the header is rejected.
  const at = Math.min(column, columnsMax);
  row.length += text.length;
  if (row.length > rowLengthMax || (at === columnsMax && text.trim() === '')) return;
  row.texts[at] = text;
  if (number !== undefined) row.numbers.set(at, number);
  if (doubt !== undefined) row.doubts.set(at, doubt);
}

function textOf({ type, style, text }: OpenCell, { strings, formats, isFrom1904 }: Workbook): CellText {
  const format = formats[style] ?? generalFormat;
  if (type === 'n') return numberText(text, format, isFrom1904);
  if (type === 'b') return { text: /^\s*(?:1|true)\s*$/.test(text) ? 'true' : 'false' };
  if (type === 'd') return { text, doubt: `has the date ${text}` };
  return { text: formattedText(withoutEscapes(type === 's' ? strings.get(Number(text)) : text), format) };
}

function numberOf(text: string | undefined, next: number): number {
  const line = text === undefined ? next : Number(text);
  if (Number.isInteger(line) && line >= next && line <= rowsMax) return line;
  throw new FileError(`The sheet has a row ${text} after row ${next - 1}, which no sheet has.`);
}
