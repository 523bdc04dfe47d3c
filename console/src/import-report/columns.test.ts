import { describe, expect, it } from 'vitest';
import { attributesFor, guessColumns, mappingOf, missingColumns, nameIn } from './columns.ts';

const fileColumns = (...names: readonly string[]) => names.map((name) => ({ name, column: null, values: [] }));

describe('the columns of a file', () => {
  it('are found by the names of the format, or by what they are likely to mean', () => {
    const exact = { name: 'PROGRAM_NAME', column: 'program_name', values: [] };
    expect(guessColumns([...fileColumns('Program', 'Program Duration', 'Branch', 'Remark'), exact])).toEqual({
      PROGRAM_NAME: 'program_name',
      'Program Duration': 'program_duration',
      Branch: 'branch_name',
    });
  });

  it.each([
    ['Institute, Academic Program Name, Quota', 'Academic Program Name: program_name'],
    [
      'Name of the Programme, Duration, Course, No. of years, Code',
      'Name of the Programme: program_name, Duration: program_duration, Code: program_code, Course: branch_name, No. of years: branch_years',
    ],
    [
      'Studiengang; Dauer; Fachrichtung; Jahre',
      'Studiengang: program_name, Dauer: program_duration, Fachrichtung: branch_name, Jahre: branch_years',
    ],
    [
      'Diplôme; Durée; Spécialité; Années',
      'Diplôme: program_name, Durée: program_duration, Spécialité: branch_name, Années: branch_years',
    ],
    ['branch code prefix, Branch Code', 'Branch Code: branch_code, branch code prefix: branch_code_prefix'],
  ])('have usual words: %s', (names, guessed) => {
    const found = guessColumns(fileColumns(...names.split(/[,;] /)));
    expect(
      Object.entries(found)
        .map((pair) => pair.join(': '))
        .join(', '),
    ).toBe(guessed);
  });

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
