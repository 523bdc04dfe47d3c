import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { inChunks } from '../src/chunks.ts';
import { readRows } from '../src/read-rows.ts';
import type { ChoosableEncoding, Encoding } from '../src/text.ts';

export const columns = ['code', 'name', 'credits', 'remarks'] as const;

/** What a file is read as. */
interface Read {
  readonly rows: (readonly [line: number, ...texts: string[]] | readonly [line: number, unreadable: string])[];
  readonly encodings: Encoding[];
  readonly sheets: (readonly [name: string, all: readonly string[]])[];
  /** Of the rows that can be read. */
  readonly cells: unknown[];
}

interface Reading {
  /** The length of its chunks; of those that an importer makes otherwise. */
  readonly cut?: number;
  readonly encoding?: ChoosableEncoding;
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly mapping?: ReadonlyMap<string, (typeof columns)[number]>;
  readonly signal?: AbortSignal;
  readonly fillDown?: boolean;
}

/** The rows one by one; `result` gets what else is read. */
export function rowsOf(
  file: Buffer,
  format: 'csv' | 'json' | 'xlsx' = 'xlsx',
  { cut, encoding, sheet, headerRow, mapping = new Map(), signal, fillDown }: Reading = {},
  result: Read = { rows: [], encodings: [], sheets: [], cells: [] },
) {
  async function* chunks(length: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.length; at += length) yield file.subarray(at, at + length);
  }
  return readRows(cut === undefined ? inChunks(chunks(file.length)) : chunks(cut), {
    format,
    delimiter: undefined,
    encoding,
    sheet,
    headerRow,
    columns: {
      known: columns,
      required: ['name'],
      filled: { keys: ['code'], has: (column) => column === 'code' || column === 'remarks' },
    },
    fillDown,
    mapping,
    onHeader: () => undefined,
    onIgnored: () => undefined,
    onEncoding: (encoding) => result.encodings.push(encoding),
    onSheet: (name, names) => result.sheets.push([name, names]),
    ...(signal !== undefined && { signal }),
  });
}

export async function read(file: Buffer, format?: 'csv' | 'json' | 'xlsx', reading?: Reading): Promise<Read> {
  const result: Read = { rows: [], encodings: [], sheets: [], cells: [] };
  for await (const row of rowsOf(file, format, reading, result)) {
    if (!('unreadable' in row)) result.cells.push(row.cells);
    result.rows.push('unreadable' in row ? [row.line, row.unreadable.message] : [row.line, ...row.texts]);
  }
  return result;
}

export const zipped = (parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile();
  // To pack nothing takes as long as to pack a little.
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, { compress: content.length > 0 });
  zip.end();
  return buffer(zip.outputStream);
};

const headerRow = `<row r="1">${columns.map((name) => `<c t="str"><v>${name}</v></c>`).join('')}</row>`;

interface Content {
  /** The rows after the header. */
  readonly header?: string;
  readonly rows?: string;
  readonly merges?: string;
  readonly workbook?: string;
  readonly strings?: string;
  readonly styles?: string;
}

/** The namespace of `r:id`. */
export const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`;

/** The parts of a workbook, as other software writes them: with namespaces, absolute and relative targets. */
export const partsOf = ({
  header = headerRow,
  rows = '',
  merges = '',
  workbook,
  strings = '',
  styles = '',
}: Content = {}) => ({
  '_rels/.rels': `<R>${relation('a', 'officeDocument', '/xl/workbook.xml')}</R>`,
  'xl/workbook.xml': workbook ?? `<w ${r}><sheets><sheet name="Courses" sheetId="1" r:id="s1"/></sheets></w>`,
  'xl/_rels/workbook.xml.rels': `<R>${relation('s1', 'worksheet', 'worksheets/sheet1.xml')}${relation('s2', 'worksheet', '/xl/worksheets/sheet2.xml')}${relation('s3', 'sharedStrings', 'sharedStrings.xml')}${relation('s4', 'styles', 'styles.xml')}</R>`,
  'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
  'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="m" xmlns="m"><x:sheetData>${header}${rows}</x:sheetData>${merges}</x:worksheet>`,
  'xl/worksheets/sheet2.xml': `<w><sheetData>${headerRow}<row><c/><c t="str"><v>second</v></c></row></sheetData></w>`,
});

export const workbookOf = (content: Content = {}): Promise<Buffer> => zipped(partsOf(content));
