import { setImmediate } from 'node:timers/promises';
import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import { columnsMax, isBlank, rowLengthMax, rowTooLong, type TableRow } from '../rows.ts';
import type { Archive } from './archive.ts';
import { type CellText, formattedText, isoDateText, numberText, type PlacedText, withoutEscapes } from './cell-text.ts';
import { type Merges, readMerges } from './merges.ts';
import { columnNumber, lettersOf, rowsMax } from './references.ts';
import type { Workbook } from './workbook.ts';
import { parseXml, turnLengthMax, type XmlHandler } from './xml.ts';

interface SheetRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly texts: string[];
  readonly faults: Map<number, Problem>;
  readonly numbers: Map<number, string>;
  readonly doubts: Map<number, Problem>;
  /** Characters of all that is kept of its cells. */
  length: number;
}

/** Cells of all rows up to the last of each, empty ones too: a file of a few kilobytes can have any number of these. */
const cellsMax = 50_000_000;

/** What is parsed at a time, in characters, and in those times the characters of the longest text that a cell may show. */
const [turnLengthMin, turnTextsMax] = [64, 8_000_000];
const turnMs = 10;

/** The rows that are not blank. @throws FileError for too many cells, and for texts that are repeated too often */
export async function* readSheet(
  archive: Archive,
  workbook: Workbook,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableRow> {
  const merges = await readMerges(() => archive.read(workbook.sheet.part));
  let rows: TableRow[] = [];
  let [cells, characters] = [0, 0];
  const { handler, end } = createSheetHandler(workbook, merges, (row, hiddenColumns) => {
    // Blank rows count too: they take as long.
    cells += row.texts.length;
    characters += row.length;
    if (cells > cellsMax)
      throw new FileError(
        fileProblem('WORKBOOK_TOO_LARGE', { what: 'The sheet has too many cells, empty ones before others included' }),
      );
    if (characters > archive.sizeMax)
      throw new FileError(fileProblem('WORKBOOK_TOO_LARGE', { what: 'The sheet repeats long texts too often' }));
    if (!isBlankRow(row)) rows.push({ ...finished(row), hiddenColumns });
  });
  const allowed = Math.floor(turnTextsMax / Math.max(1, workbook.strings.longest));
  const turnLength = Math.max(turnLengthMin, Math.min(turnLengthMax, allowed));
  let turnBegan = performance.now();
  for await (const _ of parseXml(archive.read(workbook.sheet.part), handler, turnLength)) {
    signal?.throwIfAborted();
    if (performance.now() - turnBegan > turnMs) {
      await setImmediate();
      turnBegan = performance.now();
    }
    const complete = rows;
    rows = [];
    yield* complete;
  }
  end();
  yield* rows;
}

interface OpenCell {
  readonly type: string;
  readonly style: number;
  readonly column: number;
  /** Some software writes a text both as the value and within the cell. */
  value: string;
  inline: string;
  /** Whether its texts have been cut off. */
  isCut: boolean;
  hasFormula: boolean;
  /** Whether its value, and its own text, have begun: it has each once. */
  v: boolean;
  is: boolean;
}

const emptyCell = { value: '', inline: '', isCut: false, hasFormula: false, v: false, is: false };

const impossible = (what: string): FileError => new FileError(fileProblem('IMPOSSIBLE_SHEET', { what }));

/**
 * Follows ECMA-376, part 1, 18.3.1: rows `row` of cells `c` with a value `v`, a formula `f` or a text `is`. Elements that
 * follow each other with the same number are one row.
 */
function createSheetHandler(
  workbook: Workbook,
  merges: Merges,
  onRow: (row: SheetRow, hiddenColumns: Uint8Array) => void,
) {
  const hiddenColumns = new Uint8Array(columnsMax);
  let row: SheetRow | undefined;
  let cell: OpenCell | undefined;
  let line = 0;
  let column = -1;
  let part: 'value' | 'inline' | undefined;
  let isPronunciation = false;
  const end = (): void => {
    if (row !== undefined) {
      if (!isBlankRow(row)) withMerged(row, merges);
      onRow(row, hiddenColumns);
    }
    row = undefined;
  };
  const begin = ({ r, hidden, ht }: Readonly<Record<string, string>>): void => {
    const number = rowNumber(r, line);
    column = -1;
    if (number === line && row !== undefined) return;
    end();
    line = number;
    merges.enter(line);
    const [faults, numbers, doubts] = [new Map(), new Map(), new Map()];
    row = { line, isHidden: isTrue(hidden) || isZero(ht), texts: [], faults, numbers, doubts, length: 0 };
  };
  const handler: XmlHandler = {
    open: (name, attributes) => {
      if (name === 'row') begin(attributes);
      else if (name === 'c' && row !== undefined) {
        column = columnNumber(attributes['r'], column + 1);
        const { t: type = 'n', s: style = '0' } = attributes;
        cell = { ...emptyCell, type, style: Number(style), column };
      } else if (name === 'f' && cell !== undefined) cell.hasFormula = true;
      else if (name === 'rPh') isPronunciation = true;
      else if (name === 'v' || name === 'is') {
        if (name === 'v') part = 'value';
        if (cell?.[name] === true) throw impossible(`two values in the cell ${lettersOf(cell.column)}${line}`);
        if (cell !== undefined) cell[name] = true;
      } else if (name === 't' && !isPronunciation) part = 'inline';
      else if (name === 'col' && (isTrue(attributes['hidden']) || isZero(attributes['width'])))
        hide(hiddenColumns, attributes);
    },
    text: (text) => {
      if (part === undefined || cell === undefined || row === undefined) return;
      if (row.length + cell.value.length + cell.inline.length <= rowLengthMax) cell[part] += text;
      else cell.isCut = true;
    },
    close: (name) => {
      if (name === 'rPh') isPronunciation = false;
      else if (name === 'v' || name === 't') part = undefined;
      else if (name === 'c' && cell !== undefined && row !== undefined) {
        addCell(row, cell, workbook, merges);
        cell = undefined;
      }
    },
  };
  return { handler, end };
}

/** A row that is too long has no texts. */
const isBlankRow = ({ length, faults, texts }: SheetRow): boolean =>
  length <= rowLengthMax && faults.size === 0 && isBlank(texts);

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

/** A height or width. */
const isZero = (text: string | undefined): boolean => text !== undefined && /^\s*0+(?:\.0*)?\s*$/.test(text);

/** Columns are numbered from 1. A file may name all of them in each of many elements. */
function hide(hiddenColumns: Uint8Array, { min, max }: Readonly<Record<string, string>>): void {
  const [first, last] = [Math.max(1, Number(min)), Math.min(columnsMax, Number(max))];
  if (Number.isInteger(first) && Number.isInteger(last)) hiddenColumns.fill(1, first - 1, Math.max(first - 1, last));
}

function rowNumber(text: string | undefined, last: number): number {
  const line = text === undefined ? last + 1 : Number(text);
  if (Number.isInteger(line) && line >= Math.max(1, last) && line <= rowsMax) return line;
  throw new FileError(
    fileProblem('IMPOSSIBLE_SHEET', { what: `a row ${excerpt(text ?? String(line))} after row ${last}` }),
  );
}

/** Adds the values of cells that are merged with others above. */
function withMerged(row: SheetRow, merges: Merges): void {
  for (const { firstRow, firstColumn, value } of merges.all()) {
    if (firstRow < row.line && value !== undefined) setCell(row, firstColumn, value);
  }
}

function finished({ line, isHidden, texts, faults, numbers, doubts, length }: SheetRow): TableRow {
  if (length > rowLengthMax) return { line, isHidden, texts: [], unreadable: rowTooLong() };
  return { line, isHidden, texts, faults, numbers, doubts };
}

function addCell(row: SheetRow, cell: OpenCell, workbook: Workbook, merges: Merges): void {
  const { column, type, value, inline, hasFormula } = cell;
  const merge = merges.at(column);
  // Cells below a merged one are invisible.
  if (merge !== undefined && (merge.firstColumn !== column || merge.firstRow !== row.line)) return;
  // What is left of a text that was cut off, without its escapes, may be as short as that of a cell that was not.
  if (cell.isCut) row.length += value.length + inline.length;
  if (row.length > rowLengthMax) return;
  const name = `${lettersOf(column)}${row.line}`;
  // Some software gives one number to several rows: one of the two values would be lost.
  if (row.texts[column] || row.faults.has(column))
    throw new FileError(fileProblem('IMPOSSIBLE_SHEET', { what: `two cells ${name}` }));
  const text = type === 'inlineStr' ? inline || value : value || inline;
  if (type === 'e') setFault(row, column, fileProblem('CELL_ERROR', { error: excerpt(text), cell: name }));
  else if (hasFormula && text === '' && type !== 'str') {
    setFault(row, column, fileProblem('NO_VALUE', { cell: name }));
  } else if (text !== '') {
    const { doubt, ...shown } = textOf(cell, text, workbook);
    const found = {
      ...shown,
      ...(doubt !== undefined && { doubt: fileProblem('NOT_AS_SHOWN', { doubt, cell: name }) }),
    };
    setCell(row, column, found);
    if (merge !== undefined && merge.lastRow > row.line) merges.keep(merge, found);
  }
}

/** One column more than allowed counts, so that the header is rejected. */
const placeOf = (column: number): number => Math.min(column, columnsMax);

function setFault(row: SheetRow, column: number, fault: Problem): void {
  row.length += fault.message.length;
  row.faults.set(placeOf(column), fault);
}

function setCell(row: SheetRow, column: number, { text, number, doubt }: PlacedText): void {
  const at = placeOf(column);
  row.length += text.length + (number?.length ?? 0) + (doubt?.message.length ?? 0);
  if (row.length > rowLengthMax || (at === columnsMax && text.trim() === '')) return;
  while (row.texts.length < at) row.texts.push('');
  row.texts[at] = text;
  if (number !== undefined) row.numbers.set(at, number);
  if (doubt !== undefined) row.doubts.set(at, doubt);
}

function textOf({ type, style }: OpenCell, text: string, { strings, formatOf, isFrom1904 }: Workbook): CellText {
  const format = formatOf(style);
  if (type === 'n') return numberText(text, format, isFrom1904);
  if (type === 'b') return { text: /^\s*(?:1|true)\s*$/.test(text) ? 'true' : 'false' };
  if (type === 'd') return isoDateText(text);
  return { text: formattedText(withoutEscapes(type === 's' ? strings.get(Number(text)) : text), format) };
}
