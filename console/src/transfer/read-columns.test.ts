import { expect, it } from 'vitest';
import { readColumns } from './read-columns.ts';

const columnsOf = (content: string, name = 'catalog.csv') => readColumns(new File([content], name));

it.each([
  ['\uFEFFprogram_name,branch_name\r\nArts,Music', ['program_name', 'branch_name']],
  ['\nName;"Years; total"; Duration \nArts;4;1', ['Name', 'Years; total', 'Duration']],
  ['Name\t"The ""short"" code"\n', ['Name', 'The "short" code']],
  ['Only', ['Only']],
  ['', []],
])('reads the columns of a CSV file from its first line: %j', async (content, columns) => {
  expect(await columnsOf(content)).toEqual(columns);
});

it.each([
  ['UTF-16', Buffer.from('\uFEFFProgram;Duration', 'utf16le')],
  ['Latin-1', Buffer.from('Programme;Durée', 'latin1')],
  ['a spreadsheet', Buffer.from('PK\u0003\u0004\0\0sheet,one')],
])('reads none from what is not UTF-8: %s', async (_what, bytes) => {
  expect(await readColumns(new File([bytes], 'catalog.csv'))).toEqual([]);
});

it('reads the columns of a long file, whose beginning ends within a character', async () => {
  for (const before of ['', 'x', 'xx']) {
    expect(await columnsOf(`Name,Years\n${before}${'ह'.repeat(30_000)}`)).toEqual(['Name', 'Years']);
  }
});

it('reads those of a JSON file from its first object, and none from what is no such file', async () => {
  expect(await columnsOf('[{"Name": "Arts", "Years": 4}, {"Other": 1}]', 'catalog.json')).toEqual(['Name', 'Years']);
  for (const content of ['[{"Name"', '[]', '7', '[1]']) expect(await columnsOf(content, 'a.json')).toEqual([]);
});
