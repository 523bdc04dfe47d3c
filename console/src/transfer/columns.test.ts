import { describe, expect, it } from 'vitest';
import { guessColumns, mappingOf, missingColumns, openColumns } from './columns.ts';

const names = ['PROGRAM_NAME ', 'Program Duration', 'Branch', 'Remarks'];

describe('the columns of a file', () => {
  it('are found by the names of the format, or by what they are likely to mean', () => {
    expect(guessColumns(names)).toEqual({
      program_name: 'PROGRAM_NAME ',
      program_duration: 'Program Duration',
      branch_name: 'Branch',
    });
    expect(guessColumns(['code', 'Branch code prefix'])).toEqual({
      program_code: 'code',
      branch_code_prefix: 'Branch code prefix',
    });
  });

  it('that are required and not there are missing', () => {
    expect(missingColumns(guessColumns(names)).map(({ column }) => column)).toEqual(['branch_years']);
  });

  it('can be chosen unless they have the very names of the format, which need no mapping', () => {
    const choice = { ...guessColumns(names), branch_years: 'Remarks' };

    expect(openColumns(names).map(({ column }) => column)).not.toContain('program_name');
    expect(mappingOf(choice)).toEqual([
      { column: 'program_duration', name: 'Program Duration' },
      { column: 'branch_name', name: 'Branch' },
      { column: 'branch_years', name: 'Remarks' },
    ]);
  });
});
