import { describe, expect, it } from 'vitest';
import { type Column, columnsOf, moved, namesOf, withWidth } from './columns.ts';

const column = (name: string, isExtra = false): Column<unknown> => ({
  id: name.toLowerCase(),
  name,
  width: '1fr',
  cell: () => name,
  isExtra,
});
const columns = [column('Name'), column('Code'), column('Duration'), column('Year codes', true)];
const shown = (names?: string) => namesOf(columnsOf(columns, names));

describe('the columns of a list', () => {
  it('are the usual ones without a choice, and those that are chosen, each once, the first always first', () => {
    expect([undefined, 'year codes,name,code,code', 'nothing'].map(shown)).toEqual([
      'name,code,duration',
      'name,year codes,code',
      'name,code,duration',
    ]);
  });

  it('have widths of the user beside their names', () => {
    expect(['name:300,code:80', 'name,code:x,duration:5', 'code'].map(shown)).toEqual([
      'name:300,code:80',
      'name,code,duration',
      'name,code',
    ]);
    expect(namesOf(withWidth(columnsOf(columns, 'name,code'), 'code', 90))).toBe('name,code:90');
  });

  it('move by one place, but not before the first or beyond the last', () => {
    const order = (id: string, by: -1 | 1) => namesOf(moved(columnsOf(columns, undefined), id, by));
    expect([order('duration', -1), order('code', -1), order('duration', 1), order('name', 1)]).toEqual([
      'name,duration,code',
      'name,code,duration',
      'name,code,duration',
      'name,code,duration',
    ]);
  });
});
