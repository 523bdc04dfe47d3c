import { describe, expect, it } from 'vitest';
import type { Column } from '../table/columns.ts';
import { placeBlock } from './paste.ts';

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
const targets = [1, 2, 3].map((id) => ({ row: { id, name: String(id) }, record: { program_id: id } }));
const placed = (block: string[][]) => {
  const { rows, left, fixed, columns: used } = placeBlock(block, targets, columns);
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
      left: { rows: 0, columns: 0 },
      fixed: ['branches'],
      used: ['name', 'code'],
    });
  });

  it('fills all rows when it has one row, and says how much of it has no place', () => {
    expect(placed([['a']])).toMatchObject({ values: [['a'], ['a'], ['a']], left: { rows: 0, columns: 0 } });
    const large = Array.from({ length: 5 }, () => ['a', 'b', 'c', 'd']);
    expect(placed(large)).toMatchObject({ left: { rows: 2, columns: 1 } });
  });

  it('has rows below the list as a file of new records, with the columns that it is pasted into and their owner', () => {
    const block = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, '', name.toUpperCase()]);
    const owner = { program_id: 7, program_name: 'Physics' };
    expect(placeBlock(block, targets, columns, owner).rest).toEqual([
      ['program_id', 'program_name', 'program_name', 'program_code'],
      ['7', 'Physics', 'd', 'D'],
      ['7', 'Physics', 'e', 'E'],
    ]);
    expect(placeBlock(block, targets, columns, {}).rest?.[0]).toEqual(['program_name', 'program_code']);
    // Without a name, or in a list whose owner nobody knows, there is none.
    expect([placeBlock(block, targets, columns.slice(1), {}).rest, placeBlock(block, targets, columns).rest]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('has one line in a field of one line, also from two paragraphs', () => {
    const [{ values = [] } = {}] = placeBlock([['two\n lines', 'two\nlines']], targets, [
      column('name'),
      description,
    ]).rows;
    expect(values).toEqual(['two lines', 'two\nlines']);
  });
});
