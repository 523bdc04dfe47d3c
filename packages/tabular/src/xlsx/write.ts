import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import { lettersOf, rowsMax } from './references.ts';

export type CellValue = string | number | boolean | null;

/** The media type of a workbook. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media type of a workbook with macros, which is read as one without. */
export const macroType = 'application/vnd.ms-excel.sheet.macroenabled.12';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (...kinds: readonly (readonly [kind: string, target: string])[]): string =>
  `<Relationships xmlns="${packages}/relationships">${kinds
    .map(([kind, target], at) => `<Relationship Id="r${at}" Type="${officeRelations}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** The smallest set that Excel opens. Style 1 is text, so that a cell that is edited stays one; 2 is the header. */
const partsOf = (sheets: readonly string[]): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>
${sheets
  .map(
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${contentType}.worksheet+xml"/>\n`,
  )
  .join('')}<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relations(
    ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'],
  ),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets>${sheets
    .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at}"/>`)
    .join('')}</sheets></workbook>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
});

/** The first that an archive can have: the same rows are the same bytes, whenever they are written. */
const mtime = new Date(1980, 0, 1);

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

interface Sheet extends Table {
  /** The number of `rows`, so that too many are an error before anything is written. */
  readonly rowCount: number;
  /** Batches of rows, each with a value for every column. */
  readonly rows: AsyncIterable<readonly (readonly CellValue[])[]>;
  /** A second sheet. */
  readonly explanations?: (Table & { readonly rows: readonly (readonly CellValue[])[] }) | undefined;
  /** Drop-down lists of columns: cells of the second sheet. Other values may be entered after a warning. */
  readonly lists?: readonly DropDown[];
}

/** Numbers of columns and rows begin at 0, rows below the header. */
export interface DropDown {
  /** The column whose cells have the list. */
  readonly column: number;
  /** The column and the rows of the second sheet that the list is made of. */
  readonly from: { readonly column: number; readonly firstRow: number; readonly lastRow: number };
}

/**
 * Writes a workbook, at the pace at which it is read, with bold header rows that stay in view. Every text stays text.
 * @throws FileError before the first byte when a sheet has not so many rows; errors of the rows.
 */
export async function* writeXlsx(sheet: Sheet): AsyncGenerator<Buffer> {
  const { name, columns, rowCount, rows, explanations, lists = [] } = sheet;
  // One is the header.
  if (rowCount >= rowsMax) throw new FileError(fileProblem('TOO_MANY_ROWS'));
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const parts = partsOf([name, ...(explanations === undefined ? [] : [explanations.name])]);
  for (const [part, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(declaration + content), part, { mtime });
  const listed = explanations === undefined || lists.length === 0 ? '' : listsXml(explanations.name, lists);
  const contents = [sheetXml(columns, rows, listed)];
  if (explanations !== undefined) contents.push(sheetXml(explanations.columns, portionsOf(explanations.rows), ''));
  const sheets = contents.map((content) => Readable.from(content, { objectMode: false }));
  // The archive does not listen to them, and an error that nobody hears ends the process.
  for (const source of [zip, ...sheets]) source.on('error', (problem: Error) => output.destroy(problem));
  for (const [at, sheet] of sheets.entries()) {
    zip.addReadStream(sheet, `xl/worksheets/sheet${at + 1}.xml`, { mtime });
  }
  zip.end();
  try {
    yield* output;
  } finally {
    for (const sheet of sheets) sheet.destroy();
  }
}

const textStyle = 1;
const headerStyle = 2;

const widthMin = 12;
const widthMax = 40;

/** Rows that are written in one turn of the event loop. */
const portionRows = 500;

async function* portionsOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += portionRows) {
    yield rows.slice(from, from + portionRows);
    await setImmediate();
  }
}

/** A warning, not an error: a value that is none of the list can be what the cell had before. */
function listsXml(sheetName: string, lists: readonly DropDown[]): string {
  const validations = lists.map(({ column, from: { column: source, firstRow, lastRow } }) => {
    const [letters, cells] = [lettersOf(column), lettersOf(source)];
    const range = `'${escaped(sheetName.replaceAll("'", "''"))}'!$${cells}$${firstRow + 2}:$${cells}$${lastRow + 2}`;
    return `<dataValidation type="list" errorStyle="warning" allowBlank="1" showErrorMessage="1" sqref="${letters}2:${letters}${rowsMax}"><formula1>${range}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${lists.length}">${validations.join('')}</dataValidations>`;
}

async function* sheetXml(columns: readonly string[], batches: Sheet['rows'], lists: string): AsyncGenerator<Buffer> {
  let line = 1;
  let xml = '';
  for await (const rows of batches) {
    if (line === 1) xml = beginningOf(columns, rows);
    for (const row of rows) {
      line += 1;
      xml += `${rowOf(line, row, textStyle)}`;
    }
    yield Buffer.from(xml);
    xml = '';
  }
  yield Buffer.from(`${line === 1 ? beginningOf(columns, []) : ''}</sheetData>${lists}</worksheet>`);
}

/** The header, in columns that are as wide as the first rows need. */
function beginningOf(columns: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  const widths = columns.map((column, at) => {
    const widest = rows.reduce((length, row) => Math.max(length, String(row[at] ?? '').length), column.length);
    return Math.min(widthMax, Math.max(widthMin, widest) + 1);
  });
  const columnOf = (width: number, at: number) =>
    `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  const view =
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>';
  return `${declaration}<worksheet xmlns="${main}"><sheetViews>${view}</sheetViews><cols>${widths.map(columnOf).join('')}</cols><sheetData>${rowOf(1, columns, headerStyle)}`;
}

function rowOf(line: number, values: readonly CellValue[], style: number): string {
  const cells = values.map((value, column) => cellOf(value, `r="${lettersOf(column)}${line}"`, style));
  return `<row r="${line}">${cells.join('')}</row>`;
}

function cellOf(value: CellValue, reference: string, style: number): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c ${reference}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c ${reference} t="b"><v>${value ? 1 : 0}</v></c>`;
  return `<c ${reference} s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Escapes characters that XML cannot have, and texts that look like such an escape, as spreadsheets do: `_x000D_`. */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)|[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    })
    .replace(/[&<>"]/g, (character) => entities.get(character) ?? character);
