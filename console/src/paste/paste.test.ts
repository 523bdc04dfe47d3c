import { describe, expect, it } from 'vitest';
import type { Column } from '../table/columns.ts';
import { type Owner, placeCells, readCells } from './paste.ts';

interface Row {
  readonly id: number;
}
const column = (name: string, canEdit = true): Column<Row> => ({
  id: name,
  name,
  width: '1fr',
  ...(canEdit && { edit: { value: () => '', fileColumn: `program_${name}` } }),
});
const description: Column<Row> = {
  id: 'description',
  name: 'description',
  width: '1fr',
  edit: { value: () => '', fileColumn: 'program_description', isLong: true },
};
const columns = [column('name'), column('branches', false), column('code')];
const targets = [1, 2, 3].map((id) => ({ row: { id, name: String(id) } }));
const placeBlock = (block: string[][], given: typeof columns, owner?: Owner) =>
  placeCells(readCells(block, given), targets, owner);
const placed = (block: string[][]) => {
  const { rows, left, fixed, columns: used } = placeBlock(block, columns);
  return { values: rows.map(({ values }) => values), left, fixed, used: used.map(({ name }) => name) };
};

describe('a pasted block', () => {
  it('goes into its rows and columns, without those that cannot be changed', () => {
    expect(
      placed([
        ['a', '7', 'A'],
        ['b', '8', ' B '],
      ]),
    ).toEqual({
      values: [
        ['a', 'A'],
        ['b', 'B'],
      ],
      left: { rows: [], columns: 0 },
      fixed: ['branches'],
      used: ['name', 'code'],
    });
  });

  it('fills all rows when it has one row, and says how much of it has no place', () => {
    expect(placed([['a']])).toMatchObject({ values: [['a'], ['a'], ['a']], left: { rows: [], columns: 0 } });
    const large = ['p', 'q', 'r', 's', ''].map((first) => [first, 'b', 'c', 'd']);
    expect(placed(large)).toMatchObject({ left: { rows: ['s', 'c'], columns: 1 } });
  });

  it('has rows below the list as a file of new programs, if it has what they need', () => {
    const block = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, '', name.toUpperCase(), '3 Years']);
    const withDuration = [...columns, column('duration')];
    expect(placeBlock(block, withDuration, {}).rest).toEqual([
      ['program_name', 'program_code', 'program_duration'],
      ['d', 'D', '3 Years'],
      ['e', 'E', '3 Years'],
    ]);
    // Without a duration or a name, and in a list whose owner nobody knows, there is none.
    const others = [
      placeBlock(block, columns, {}),
      placeBlock(block, withDuration.slice(1), {}),
      placeBlock(block, withDuration),
    ];
    expect(others.map(({ rest }) => rest)).toEqual([undefined, undefined, undefined]);
  });

  it('has rows below the branches of a program as a file of new ones, with their program and the usual years', () => {
    const branchColumn = (name: string): Column<Row> => ({
      ...column(name),
      edit: { value: () => '', fileColumn: `branch_${name}` },
    });
    const owner = { program_id: 7, program_name: 'Physics', program_duration: '3 Years', branch_years: 3 };
    const block = ['a', 'b', 'c', 'd'].map((name) => [name, '5']);
    const names = ['program_id', 'program_name', 'program_duration'];
    expect(placeBlock(block, [branchColumn('name'), branchColumn('code')], owner).rest).toEqual([
      [...names, 'branch_years', 'branch_name', 'branch_code'],
      ['7', 'Physics', '3 Years', '3', 'd', '5'],
    ]);
    expect(placeBlock(block, [branchColumn('name'), branchColumn('years')], owner).rest).toEqual([
      [...names, 'branch_name', 'branch_years'],
      ['7', 'Physics', '3 Years', 'd', '5'],
    ]);
  });

  it('has one line in a field of one line, also from two paragraphs', () => {
    const [{ values = [] } = {}] = placeBlock([['two\n lines', 'two\nlines']], [column('name'), description]).rows;
    expect(values).toEqual(['two lines', 'two\nlines']);
  });
});
