// Workbooks of several writers: what their sheets show is what is read.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '@service/tabular/testing/workbook';
import { expect, it } from 'vitest';
import { makeFolder } from '../support/files.ts';

const folder = makeFolder();
const shown = [
  [2, 'CS-007', 'Merged', '2026-11-25', 'é 😀'],
  [3, '0042', 'Merged', '30:15:00', 'two\nlines'],
  [4, '12-03', 'Three', '12:00:00', 'true'],
  [5, '310101195608231000', 'Four', '4.50', '2'],
];

const openpyxl = `
import sys, datetime, openpyxl
book = openpyxl.Workbook(); book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904 if sys.argv[2] == '1904' else book.epoch
sheet = book.active
def put(cell, value, form=None):
    sheet[cell] = value
    if form: sheet[cell].number_format = form
for cell, value in zip(['A1', 'B1', 'C1', 'D1'], ['code', 'name', 'credits', 'remarks']): put(cell, value)
put('A2', 7, '"CS-"000'); put('A3', 42, '0000;-0000;0000'); put('A4', 1203, '00-00'); put('A5', 310101195608231000)
put('B2', 'Merged'); sheet.merge_cells('B2:B3'); put('B4', 'Three'); put('B5', 'Four')
put('C2', datetime.date(2026, 11, 25), 'yyyy-mm-dd'); put('C3', datetime.timedelta(hours=30, minutes=15), '[h]:mm:ss'); put('C4', datetime.time(12), 'h:mm'); put('C5', 4.5, '0.00')
put('D2', 'é 😀'); put('D3', 'two\\nlines'); put('D4', True); put('D5', 2)
book.save(sys.argv[1])`;

const xlsxwriter = `
import sys, datetime, xlsxwriter
book = xlsxwriter.Workbook(sys.argv[1], {'date_1904': sys.argv[2] == '1904', 'constant_memory': False})
sheet = book.add_worksheet()
form = lambda code: book.add_format({'num_format': code})
sheet.write_row(0, 0, ['code', 'name', 'credits', 'remarks'])
sheet.write_number('A2', 7, form('"CS-"000')); sheet.write_number('A3', 42, form('0000;-0000;0000')); sheet.write_number('A4', 1203, form('00-00')); sheet.write_number('A5', 310101195608231000)
sheet.merge_range('B2:B3', 'Merged'); sheet.write('B4', 'Three'); sheet.write('B5', 'Four')
sheet.write_datetime('C2', datetime.date(2026, 11, 25), form('yyyy-mm-dd')); sheet.write_datetime('C3', datetime.timedelta(hours=30, minutes=15), form('[h]:mm:ss')); sheet.write_datetime('C4', datetime.time(12), form('h:mm')); sheet.write_number('C5', 4.5, form('0.00'))
sheet.write_string('D2', 'é 😀'); sheet.write_string('D3', 'two\\nlines'); sheet.write_boolean('D4', True); sheet.write_formula('D5', '=1+1', None, 2)
book.close()`;

const written = (script: string, name: string, epoch: string): string => {
  const file = join(folder, `${name}-${epoch}.xlsx`);
  writeFileSync(join(folder, 'write.py'), script);
  execFileSync('/usr/bin/python3', [join(folder, 'write.py'), file, epoch]);
  return file;
};

const resaved = (file: string): string => {
  const output = join(folder, 'resaved');
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  execFileSync('soffice', ['--headless', profile, '--convert-to', 'xlsx', '--outdir', output, file]);
  return join(output, file.slice(folder.length + 1));
};

it.each([
  ['openpyxl', '1900', openpyxl],
  ['openpyxl', '1904', openpyxl],
  ['XlsxWriter', '1900', xlsxwriter],
  ['XlsxWriter', '1904', xlsxwriter],
])(
  'a workbook of %s, which counts from %s, and saved again by LibreOffice, is read as it is shown',
  { timeout: 120_000 },
  async (name, epoch, script) => {
    const file = written(script, name, epoch);
    expect((await read(readFileSync(file))).rows).toEqual(shown);
    expect((await read(readFileSync(resaved(file)))).rows).toEqual(shown);
  },
);
