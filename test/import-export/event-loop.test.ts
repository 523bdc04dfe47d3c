import { buffer } from 'node:stream/consumers';
import { writeXlsx } from '@service/tabular/xlsx';
import { beforeAll, describe, it } from 'vitest';
import {
  createImporter,
  type FileImportResult,
  type ImportFile,
} from '../../src/academics/import-export/import/importer.ts';
import { useDatabase } from '../support/database.ts';
import { expectNotBlocked } from '../support/event-loop.ts';
import { csv, givenFile } from './import-file.ts';

const database = useDatabase();
let importFile: ImportFile;
beforeAll(async () => {
  importFile = createImporter(database.url);
});

/** Twice the documented bound: garbage collection is not its own work. */
const holdMs = 2 * 50;

const check = (content: string | Buffer, format: 'csv' | 'json' | 'xlsx'): Promise<FileImportResult | string> =>
  importFile({ ...givenFile(content), format, dryRun: true, skipInvalid: true }).catch((problem: Error) =>
    JSON.stringify(problem),
  );

const mib = 1_048_576;
const quoted = `"${'""'.repeat(200_000)}"`;
const object = (fields: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, n) => [`k${n}`, n])));

/** Of branches with these names. */
function workbook(rows: number, nameOf: (row: number) => string): Promise<Buffer> {
  async function* batches() {
    for (let row = 0; row < rows; row += 1) yield [['Arts', '1', nameOf(row), 1]];
  }
  const columns = ['program_name', 'program_duration', 'branch_name', 'branch_years'];
  return buffer(writeXlsx({ name: 'Catalog', columns, rows: batches() }));
}

/** A first row that is not valid, and thousands that are. */
async function manyColumns(format: 'csv' | 'json' | 'xlsx'): Promise<Buffer> {
  const columns = ['program_name', 'program_duration', ...Array.from({ length: 990 }, (_, at) => `program_attr:${at}`)];
  const count = 2_000;
  if (format === 'xlsx') {
    async function* batches() {
      yield [['', '']];
      for (let row = 0; row < count; row += 1) yield [[`P${row}`, '1']];
    }
    return buffer(writeXlsx({ name: 'Catalog', columns, rows: batches() }));
  }
  if (format === 'csv') return Buffer.from(`${columns}\n,\n${'P,1\n'.repeat(count)}`);
  const first = JSON.stringify(Object.fromEntries(columns.map((column) => [column, null])));
  return Buffer.from(`[${first}${',{"program_name":"P","program_duration":"1"}'.repeat(count)}]`);
}

describe('an import of a file that is there at once does not block the event loop', () => {
  it.each<readonly [string, () => string | Promise<Buffer>, 'csv' | 'json' | 'xlsx']>([
    ['blank lines before the header', () => '\n'.repeat(2 * mib) + csv(',Arts,1,,,,,'), 'csv'],
    ['blank lines after it', () => csv(',Arts,1,,,,,') + '\n'.repeat(2 * mib), 'csv'],
    ['rows of quotes', () => csv(...Array.from({ length: 5 }, () => `,${quoted},,,,,,`)), 'csv'],
    ['rows of commas', () => csv(...Array.from({ length: 5 }, () => ','.repeat(990_000))), 'csv'],
    [
      'rows of quotes in the wrong place',
      () => csv(...Array.from({ length: 5 }, () => `a${'"'.repeat(990_000)}`)),
      'csv',
    ],
    ['a row without an end', () => `${csv('')}${','.repeat(6 * mib)}`, 'csv'],
    ['a quoted cell without an end', () => `${csv('')}"${'\n'.repeat(6 * mib)}`, 'csv'],
    ['a long header', () => `program_name,${'x,'.repeat(490_000)}`, 'csv'],
    ['many short invalid rows', () => csv('x\n'.repeat(60_000)), 'csv'],
    [
      'valid rows',
      () =>
        csv(...Array.from({ length: 4_000 }, (_, n) => `,P${n % 500},3 years,B${n},"${'Light, '.repeat(40)}",4,B,`)),
      'csv',
    ],
    ['a long element', () => `[{"program_name": "${'x'.repeat(6 * mib)}"}]`, 'json'],
    ['elements of many keys', () => `[${Array.from({ length: 4 }, () => object(60_000)).join()}]`, 'json'],
    [
      'elements of lists',
      () => `[${Array.from({ length: 4 }, () => `{"a": [${'[],'.repeat(60_000)}1]}`).join()}]`,
      'json',
    ],
    ...(['csv', 'json', 'xlsx'] as const).map(
      (format) =>
        [`rows after an invalid one of many columns, of ${format}`, () => manyColumns(format), format] as const,
    ),
    ['a workbook', () => workbook(15_000, (n) => `B${n}`), 'xlsx'],
    ['a workbook of long texts', () => workbook(150, () => 'x'.repeat(30_000)), 'xlsx'],
    ['spaces', () => ' '.repeat(6 * mib), 'json'],
    ['empty elements', () => `[${'{},'.repeat(60_000)}{}]`, 'json'],
  ])('%s', async (what, content, format) => {
    const file = await content();
    await expectNotBlocked(holdMs, () => check(file, format), what);
  });
});
