import { buffer } from 'node:stream/consumers';
import { expectNotBlocked, leastCpuMs } from '@service/telemetry/testing/event-loop';
import { expect, it } from 'vitest';
import { writeXlsx } from '../src/xlsx/write.ts';
import { columns, partsOf, read, workbookOf, zipped } from './workbook.ts';

/** Twice the documented bound: garbage collection is not its own work. */
const holdMs = 2 * 50;

const mib = 1_048_576;
const header = 'code,name,credits,remarks\n';
const quoted = `"${'""'.repeat(200_000)}"`;
const lines = (count: number, line: string): string => `${header}${`${line}\n`.repeat(count)}`;
const object = (fields: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, n) => [`k${n}`, n])));

function workbook(count: number, nameOf: (row: number) => string): Promise<Buffer> {
  async function* batches() {
    for (let row = 0; row < count; row += 1) yield [[null, nameOf(row), 1, null]];
  }
  return buffer(writeXlsx({ name: 'Courses', columns, rowCount: count, rows: batches() }));
}

const manyAttributes = (count: number): string =>
  `<row ${Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ')}/>`;

/** A workbook of a few kilobytes whose rows have one text. */
function repeating(text: string, rows: number): Promise<Buffer> {
  const sheet = `<row>${'<c t="s"><v>0</v></c>'.repeat(2)}</row>`.repeat(rows);
  return workbookOf({ rows: sheet, strings: `<si><t>${text}</t></si>` });
}

/** A workbook whose rows show a text or a number by a format that repeats it as often as a format can. */
function repeatedByFormat(cell: string, text = ''): Promise<Buffer> {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="${'@'.repeat(255)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`;
  return workbookOf({ styles, strings: `<si><t>${text}</t></si>`, rows: `<row>${cell}</row>`.repeat(1_000) });
}

it.each<readonly [string, () => string | Promise<Buffer>, 'csv' | 'json' | 'xlsx']>([
  ['blank lines before the header', () => `${'\n'.repeat(mib)}${header},Art,,`, 'csv'],
  ['blank lines after it', () => `${header},Art,,${'\n'.repeat(mib)}`, 'csv'],
  ['rows of quotes', () => lines(5, `,${quoted},,`), 'csv'],
  ['rows of commas', () => lines(5, ','.repeat(990_000)), 'csv'],
  ['rows of quotes in the wrong place', () => lines(5, `a${'"'.repeat(990_000)}`), 'csv'],
  ['a row without an end', () => `${header}${','.repeat(6 * mib)}`, 'csv'],
  ['a quoted cell without an end', () => `${header}"${'\n'.repeat(4 * mib)}`, 'csv'],
  ['a long header', () => `code,${'x,'.repeat(490_000)}`, 'csv'],
  ['many short rows', () => lines(60_000, 'x'), 'csv'],
  ['a long element', () => `[{"name": "${'x'.repeat(6 * mib)}"}]`, 'json'],
  ['elements of many keys', () => `[${Array.from({ length: 4 }, () => object(60_000)).join()}]`, 'json'],
  [
    'elements of lists',
    () => `[${Array.from({ length: 4 }, () => `{"a": [${'[],'.repeat(60_000)}1]}`).join()}]`,
    'json',
  ],
  ['spaces', () => ' '.repeat(6 * mib), 'json'],
  ['empty elements', () => `[${'{},'.repeat(30_000)}{}]`, 'json'],
  ['a workbook', () => workbook(6_000, (row) => `Course ${row}`), 'xlsx'],
  ['a workbook with an element of many attributes', () => workbookOf({ rows: manyAttributes(60_000) }), 'xlsx'],
  ['a workbook of cells that show one long text', () => repeating('x'.repeat(240_000), 60), 'xlsx'],
  [
    'a workbook whose format repeats a long text',
    () => repeatedByFormat('<c s="0" t="s"><v>0</v></c>', '一'.repeat(240_000)),
    'xlsx',
  ],
  ['a workbook whose format repeats a number', () => repeatedByFormat('<c s="0"><v>9e307</v></c>'), 'xlsx'],
  ['a workbook of long texts', () => workbook(150, () => 'x'.repeat(30_000)), 'xlsx'],
])('a file that is there at once does not block the event loop while it is read: %s', async (what, content, format) => {
  const file = Buffer.from(await content());
  // Most of them have an error.
  await expectNotBlocked(holdMs, () => read(file, format).catch(() => undefined), what);
});

it('columns that are hidden again and again take no longer than others', async () => {
  const cpuMs = async (attributes: string): Promise<number> => {
    const columnsXml = `<cols>${`<col min="1" max="16384" ${attributes}/>`.repeat(20_000)}</cols>`;
    const sheet = partsOf()['xl/worksheets/sheet1.xml'].replace('<x:sheetData>', `${columnsXml}<x:sheetData>`);
    const file = await zipped({ ...partsOf(), 'xl/worksheets/sheet1.xml': sheet });
    return leastCpuMs(() => read(file));
  };
  expect(await cpuMs('hidden="1"')).toBeLessThan(4 * (await cpuMs('width="10"')));
});

it('formats that no cell has take no longer than texts of their length', async () => {
  const cpuMs = async (code: (number: number) => string): Promise<number> => {
    const numbers = Array.from({ length: 10_000 }, (_, number) => number);
    const formats = numbers.map((number) => `<numFmt numFmtId="${200 + number}" formatCode="${code(number)}"/>`);
    const cells = numbers.map((number) => `<xf numFmtId="${200 + number}"/>`);
    const file = await workbookOf({
      styles: `<numFmts>${formats.join('')}</numFmts><cellXfs>${cells.join('')}</cellXfs>`,
    });
    return leastCpuMs(() => read(file));
  };
  const text = (number: number): string => `&quot;${`${number}`.padStart(240, 'x')}&quot;`;
  expect(await cpuMs((number) => `${number}.`.padEnd(252, '0'))).toBeLessThan(2 * (await cpuMs(text)));
});
