import { describe, expect, it } from 'vitest';
import { readHead } from '../src/read-head.ts';
import { read, workbookOf } from './workbook.ts';

const rowsOf = async (text: string | Buffer) => (await read(Buffer.from(text), 'csv')).rows;

describe('the header of a table', () => {
  it('tells the delimiter, below titles with others', async () => {
    const titles = ['Report, of all courses: "2026"', ',,,', 'as of 1 November'];
    for (const delimiter of [',', ';', '\t', '|']) {
      const table = ['code', 'name'].join(delimiter);
      expect(await rowsOf([...titles, table, `1${delimiter}a`].join('\n'))).toEqual([[5, '1', 'a']]);
    }
  });

  it('that cannot be read is named, with its line', async () => {
    await expect(rowsOf('name,5" disks,years\nA,B,1\n')).rejects.toThrow('Line 1 cannot be read: quote inside');
    const columns = { known: ['name'], required: ['name'] };
    async function* file() {
      yield Buffer.from('title,5" disks,years\nA,B,1\n');
    }
    const none = { delimiter: undefined, encoding: undefined, sheet: undefined };
    const unheard = { onEncoding: () => undefined, onSheet: () => undefined };
    await expect(readHead(file(), { format: 'csv', columns, rowsMax: 9, ...none, ...unheard })).rejects.toThrow(
      'Line 1 cannot be read',
    );
  });

  it('may be further right than there may be columns, which is an error', async () => {
    const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;
    const far = `<row r="1">${cell('A1', 'name')}${cell('XFD1', 'Far')}</row>`;
    const file = await workbookOf({ header: far });
    await expect(read(file)).rejects.toThrow('The first row has more than 1000 columns.');
  });
});

describe('the rows of a text', () => {
  it('may lack their last cells, and have empty ones beyond the header', async () => {
    expect(await rowsOf('code,name,remarks\n1,a\n2,b,,,  ,\n3,c,,x\n')).toEqual([
      [2, '1', 'a', ''],
      [3, '2', 'b', ''],
      [4, 'has 4 cells where the header has 3'],
    ]);
  });

  it.each([
    ['a line of Ctrl-Z', 'name\na\n\x1a'],
    ['Ctrl-Z without a line', 'name\na\x1a'],
    ['a filled block', 'name\na\r\n\0\0\0\0'],
  ])('end before %s', async (_what, text) => {
    expect(await rowsOf(text)).toEqual([[2, 'a']]);
  });

  it.each([',', ';', '\t', '|', '^', ']', '\\', ':'])(
    'are separated as their first line says: sep=%s',
    async (delimiter) => {
      for (const line of [`sep=${delimiter}`, `"sep=${delimiter}"`, `SEP=${delimiter}`]) {
        for (const end of ['\n', '\r\n', '\r']) {
          const text = [line, ['code', 'name'].join(delimiter), ['1', 'a'].join(delimiter), ''].join(end);
          expect(await rowsOf(text)).toEqual([[3, '1', 'a']]);
          expect(await rowsOf(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual([[3, '1', 'a']]);
        }
      }
    },
  );

  it('are separated by what separates the columns, however many commas their texts have', async () => {
    const text = 'code;name;remarks\n1;a;one, two, three, four\n2;b;five, six, seven, eight\n';
    expect(await rowsOf(text)).toEqual([
      [2, '1', 'a', 'one, two, three, four'],
      [3, '2', 'b', 'five, six, seven, eight'],
    ]);
    expect(await rowsOf(text.replaceAll(';', '|'))).toHaveLength(2);
  });
});

it('a column that an object of JSON has twice has the first value', async () => {
  const file = Buffer.from('[{"code": "1", " CODE ": "2", "name": "a"}]');
  expect((await read(file, 'json')).rows).toEqual([[1, '1', 'a', '', '']]);
});

describe('merged cells of a sheet', () => {
  const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;

  it('count for all their rows, and hide what is below them', async () => {
    const rows = `<row r="2">${cell('A2', 'one')}${cell('B2', 'n')}${cell('C2', 'hidden')}</row>
      <row r="3">${cell('A3', 'hidden')}${cell('B3', 'm')}</row><row r="4"/><row r="5">${cell('B5', 'after')}</row>
      <row r="9">${cell('B9', 'below rows that are not there')}</row>`;
    const merges = `<mergeCells><mergeCell ref="G1:H1"/><mergeCell ref="A2:A4"/><mergeCell ref="B2:C2"/>
      <mergeCell ref="B6:B7"/></mergeCells>`;
    expect((await read(await workbookOf({ rows, merges }))).rows).toEqual([
      [2, 'one', 'n', '', ''],
      [3, 'one', 'm', '', ''],
      [5, '', 'after', '', ''],
      [9, '', 'below rows that are not there', '', ''],
    ]);
  });

  it('that no sheet has are an error', async () => {
    const rows = `<row r="2">${cell('B2', 'n')}</row>`;
    const problemOf = async (references: readonly string[]) => {
      const merges = `<mergeCells>${references.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
      return read(await workbookOf({ rows, merges })).then(
        () => 'none',
        (problem: Error) => problem.message,
      );
    };
    expect(await problemOf(['A2:A4', 'A2:B9'])).toBe(
      'The sheet has cells in row 2 that are merged twice, which no sheet has.',
    );
    expect(await problemOf(['A4:A2'])).toBe('The sheet has merged cells A4:A2, which no sheet has.');
    expect(await problemOf(Array.from({ length: 200_001 }, (_, at) => `A${at + 5}`))).toBe(
      'The sheet has too many merged cells. Save the sheet as CSV, and import that.',
    );
  });
});
