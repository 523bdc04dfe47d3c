import { describe, expect, it } from 'vitest';
import { guessColumns } from '../fields/file-columns.ts';
import { attributesFor, mappingOf, missingColumns, nameIn } from './columns.ts';

const fileColumns = (...names: readonly string[]) => names.map((name) => ({ name, column: null, values: [] }));

describe('the columns of a file', () => {
  it('can be attributes of the program or the branch, named by their heads', () => {
    expect(attributesFor(' Shift & Intaké')).toEqual([
      { value: 'program_attr:shift_intake', text: 'Attribute “shift_intake” of the program' },
      { value: 'branch_attr:shift_intake', text: 'Attribute “shift_intake” of the branch' },
    ]);
    expect(attributesFor('место')).toEqual([]);
  });

  it('that are required and not there are missing', () => {
    expect(
      missingColumns(guessColumns(fileColumns('Degree', 'Duration', 'Major'))).map(({ column }) => column),
    ).toEqual(['branch_years']);
    expect(missingColumns(guessColumns(fileColumns('Degree', 'Duration')))).toEqual([]);
  });

  it('are mapped unless they have the very names of the format, which can be left out', () => {
    const columns = [
      ...fileColumns('Branch', 'Length', 'Other'),
      { name: 'program_name', column: 'program_name', values: [] },
    ];
    const choice = { Branch: 'branch_name', Length: 'branch_years', program_name: 'program_name' };

    expect(mappingOf(columns, choice)).toEqual([
      { column: 'branch_name', name: 'Branch' },
      { column: 'branch_years', name: 'Length' },
    ]);
    const { program_name: _, ...without } = choice;
    expect(mappingOf(columns, without)).toContainEqual({ column: 'program_name', name: '' });
    expect(mappingOf(columns, { Other: 'program_name' })).toEqual([{ column: 'program_name', name: 'Other' }]);
    expect(nameIn(choice, 'branch_years')).toBe('Length');
    expect(nameIn(choice, 'branch_code')).toBe('branch_code');
  });
});
