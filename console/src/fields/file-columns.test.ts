import { describe, expect, it } from 'vitest';
import { guessColumns } from './file-columns.ts';

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
    ['Name, Duration, Code', 'Duration: program_duration, Code: program_code, Name: program_name'],
    ['Name, Program, Years', 'Program: program_name, Years: branch_years'],
    ['branch code prefix, Branch Code', 'Branch Code: branch_code, branch code prefix: branch_code_prefix'],
  ])('have usual words: %s', (names, guessed) => {
    const found = guessColumns(fileColumns(...names.split(/[,;] /)));
    expect(
      Object.entries(found)
        .map((pair) => pair.join(': '))
        .join(', '),
    ).toBe(guessed);
  });
});
