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

it('reads those of a JSON file from its first object, and none from what is no such file', async () => {
  expect(await columnsOf('[{"Name": "Arts", "Years": 4}, {"Other": 1}]', 'catalog.json')).toEqual(['Name', 'Years']);
  for (const content of ['[{"Name"', '[]', '7', '[1]']) expect(await columnsOf(content, 'a.json')).toEqual([]);
});
