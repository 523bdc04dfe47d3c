import { describe, expect, it } from 'vitest';
import { read } from './workbook.ts';

const header = 'code,name,credits,remarks';
const good = '1,Optics,3,';
const csv = (...rows: readonly string[]): Buffer => Buffer.from(`${[header, ...rows].join('\n')}\n`);

describe('a row that cannot be read', () => {
  it('is listed with the lines that a missing quote swallows, and the following ones are read', async () => {
    expect((await read(csv('1,"Optics,3,', '2,"Waves",3,', good), 'csv')).rows).toEqual([
      [2, 'cannot be read, with the lines up to 3: text after the closing quote of a cell'],
      [4, '1', 'Optics', '3', ''],
    ]);
  });

  it.each([
    ['a quoted cell', `1,Optics,3,"${'x'.repeat(1_000_001)}"`],
    ['a cell', `1,Optics,3,${'x'.repeat(3_000_000)}`],
    ['a cell that means nothing', `1,Optics,3,,,,,,${'y'.repeat(1_000_000)}`],
    ['a row of commas', ','.repeat(1_000_001)],
  ])('is listed when it is too long (%s), and the following ones are read', async (_what, row) => {
    expect((await read(csv(row, good), 'csv')).rows).toEqual([
      [2, 'is longer than 250,000 characters'],
      [3, '1', 'Optics', '3', ''],
    ]);
  });

  it('is none that is as long as it may be, whose last cell counts', async () => {
    const row = (length: number) => `1,Optics,3,${'x'.repeat(length - '1,Optics,3,'.length)}`;
    const { rows } = await read(csv(row(250_000), row(250_001)), 'csv');
    expect(rows).toEqual([
      [2, '1', 'Optics', '3', 'x'.repeat(250_000 - '1,Optics,3,'.length)],
      [3, 'is longer than 250,000 characters'],
    ]);
  });

  it('counts its lines', async () => {
    const long = `1,Optics,3,"${'x\r\n'.repeat(500_000)}"`;
    expect((await read(csv(long, good), 'csv')).rows).toEqual([
      [2, 'is longer than 250,000 characters, with the lines up to 500002'],
      [500_003, '1', 'Optics', '3', ''],
    ]);
  });
});

describe('a file without readable rows', () => {
  it.each([
    ['nothing', '', 'The file is empty: it has no header row.'],
    ['blank lines', '\n\n', 'The file is empty: it has no header row.'],
    [
      'a missing column',
      'code,credits\n',
      'The first row must name the columns, separated by commas, semicolons, tabs or vertical bars; missing: name.',
    ],
    [
      'a quote that does not end',
      csv(good, '1,"Waves,3,', good),
      'Line 3: the quoted cell that begins here is not closed.',
    ],
    [
      'broken UTF-8',
      Buffer.concat([csv(good, '2,Physique à Paris,3,'), Buffer.from([0xc3])]),
      'Line 4 is not UTF-8. Save the file as UTF-8 and import that.',
    ],
    [
      'a spreadsheet',
      'PK\u0003\u0004\u0014\0\u0006\0\b\0xl/worksheets/sheet1.xml',
      'The file is a workbook or an archive and not text. Save it as .xlsx or as CSV in UTF-8 and import that.',
    ],
    ['a byte order mark alone', '\uFEFF', 'The file is empty: it has no header row.'],
  ])('(%s) is rejected', async (_what, content, message) => {
    await expect(read(Buffer.from(content), 'csv')).rejects.toMatchObject({ message });
  });

  it.each([
    ['nothing', '', 'The file is empty: it must be a JSON array of objects.'],
    ['a text', '"A"', 'Line 1: the file must be a JSON array of objects, or have an object on each line.'],
    [
      'a list and an object',
      '{"a":1}\n[]',
      'Line 2: the file must be a JSON array of objects, or have an object on each line.',
    ],
    ['a line without end', '{"a":1}\n{"a":\n{"a":3}\n', 'Line 2: the element that begins here is not valid JSON.'],
    ['no end', '[\n{"a":1}\n', 'Line 3: the file ends before its JSON array does.'],
    ['an open string', '[\n{"a":"]', 'Line 2: the file ends before its JSON array does.'],
    ['more after it', '[]\n[]', 'Line 2: there is data after the end of the JSON array.'],
    ['a comma too many', '[\n{},\n]', 'Line 3: an element is missing.'],
    ['a missing element', '[{},,{}]', 'Line 1: an element is missing.'],
    ['no JSON inside', '[{},\n\n{a:1}]', 'Line 3: the element that begins here is not valid JSON.'],
    ['brackets that do not match', '[\n{"a":[1}]}]', 'Line 2: the element that begins here is not valid JSON.'],
    [
      'deep nesting',
      `[{},\n{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
      'Line 2: the element that begins here is nested too deeply.',
    ],
    ['an element without end', `[\n"${'x'.repeat(1_000_001)}`, 'Line 2: the element that begins here is too long.'],
    [
      'broken UTF-8',
      Buffer.from([...Buffer.from('["à"]'), 0xc3]),
      'Line 1 is not UTF-8. Save the file as UTF-8 and import that.',
    ],
  ])('(JSON, %s) is rejected', async (_what, content, message) => {
    await expect(read(Buffer.from(content), 'json')).rejects.toMatchObject({ message });
  });
});
