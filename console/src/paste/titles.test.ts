import { describe, expect, it } from 'vitest';
import type { Column } from '../table/columns.ts';
import { readTitles } from './titles.ts';

interface Row {
  readonly id: number;
}
const column = (id: string, name: string, canEdit = true): Column<Row> => ({
  ...{ id, name, width: '1fr' },
  ...(canEdit && { edit: { value: () => '', fileColumn: `program_${id}` } }),
});
const columns = [
  column('name', 'Name'),
  column('branches', 'Branches', false),
  column('code', 'Code'),
  column('duration', 'Duration'),
];
const read = (titles: readonly string[], row: readonly string[], from = 0) => {
  const placed = readTitles([titles, row], columns, from);
  return { ...placed, columns: placed.columns.map(({ id }) => id) };
};

describe('a first row that names the columns', () => {
  it.each([
    [['Name', 'Branches', 'Code'], 'name, branches, code'],
    [[' name', 'BRANCHES ', 'code'], 'name, branches, code'],
    [['Code', 'Duration', 'Name'], 'code, duration, name'],
    [['program_code', 'program_name'], 'code, name'],
    [['Dauer', 'Studiengang', 'Código'], 'duration, name, code'],
    [['Duration of the program', 'Code of the programme', 'Program'], 'duration, code, name'],
  ])('is left out, and says where its cells go: %j', (titles, names) => {
    const placed = read(titles, ['1', '2', '3'].slice(0, titles.length), 2);
    expect(placed.columns.join(', ')).toBe(names);
    expect(placed.block).toEqual([['1', '2', '3'].slice(0, titles.length)]);
    expect(placed.titles?.unknown).toEqual([]);
  });

  it('names what the list does not show or know, and what has no heading', () => {
    expect(
      read(['Code', 'College', '', 'Duration', 'Years', 'Name'], ['C', 'X', 'Y', '3 Years', '3', 'A', 'Z']),
    ).toEqual({
      block: [['C', '3 Years', 'A']],
      columns: ['code', 'duration', 'name'],
      titles: { used: ['Code', 'Duration', 'Name'], unknown: ['College', 'Y', 'Years', 'Z'] },
    });
  });

  it('has a second column of one heading left out', () => {
    const { block, titles } = read(['Name', 'Code', 'name'], ['A', 'C', 'B']);
    expect([block, titles?.unknown]).toEqual([[['A', 'C']], ['name']]);
  });

  it('is a single heading where its column is', () => {
    expect(read(['Code'], ['C'], 2)).toMatchObject({ block: [['C']], columns: ['code'] });
  });

  it.each([
    ['any other cell', ['Name', 'Duration', 'A']],
    ['a heading by chance', ['Code']],
    ['one heading twice', ['Code', 'Code']],
    ['a heading beside nothing', ['Code', '']],
  ])('is none with %s', (_, titles) => {
    expect(read(titles, ['b'])).toEqual({
      block: [titles, ['b']],
      columns: ['name', 'branches', 'code', 'duration'],
    });
  });

  const rows = [
    ['Art', 'A1'],
    ['Law', 'L2'],
  ];
  it.each([
    ['in words that nobody knows', ['Lehrgang', 'Kürzel'], rows, ['Lehrgang', 'Kürzel']],
    ['with digits, as values have', ['Lehrgang', 'K9'], rows, undefined],
    ['with the same word twice', ['Lehrgang', 'Lehrgang'], rows, undefined],
    ['above words alone', ['Lehrgang', 'Kürzel'], rows.map(([name = '']) => [name, name]), undefined],
    ['above a single row', ['Lehrgang', 'Kürzel'], rows.slice(1), undefined],
    ['in a single column', ['Kürzel'], [['A1'], ['L2']], undefined],
  ])('goes by its place %s, which is said where it looks like headings', (_, titles, below, unread) => {
    expect(readTitles([titles, ...below], columns, 0)).toEqual({
      ...{ block: [titles, ...below], columns },
      ...(unread !== undefined && { unread }),
    });
  });

  it('is none without a row below it, or beyond the list', () => {
    const titles = ['Name', 'Code'];
    expect(readTitles([titles], columns, 0)).toEqual({ block: [titles], columns });
    expect(readTitles([['Name'], ['b']], [], 0)).toEqual({ block: [['Name'], ['b']], columns: [] });
  });
});
