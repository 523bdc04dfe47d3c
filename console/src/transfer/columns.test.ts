import { describe, expect, it } from 'vitest';
import { guessColumns, mappingOf, missingColumns, openColumns } from './columns.ts';

const names = ['PROGRAM_NAME ', 'Program Duration', 'Branch', 'Remarks'];

describe('the columns of a file', () => {
  it('are found by the names of the format, or by what they are likely to mean', () => {
    expect(guessColumns(names)).toEqual({
      PROGRAM_NAME: 'PROGRAM_NAME ',
      PROGRAM_DURATION: 'Program Duration',
      BRANCH_NAME: 'Branch',
    });
    expect(guessColumns(['code', 'Branch code prefix'])).toEqual({
      PROGRAM_CODE: 'code',
      BRANCH_CODE_PREFIX: 'Branch code prefix',
    });
  });

  it('that are required and not there are missing', () => {
    expect(missingColumns(guessColumns(names)).map(({ column }) => column)).toEqual(['BRANCH_YEARS']);
  });

  it('can be chosen unless they have the very names of the format, which need no mapping', () => {
    const choice = { ...guessColumns(names), BRANCH_YEARS: 'Remarks' };

    expect(openColumns(names).map(({ column }) => column)).not.toContain('PROGRAM_NAME');
    expect(mappingOf(choice)).toEqual([
      { column: 'PROGRAM_DURATION', name: 'Program Duration' },
      { column: 'BRANCH_NAME', name: 'Branch' },
      { column: 'BRANCH_YEARS', name: 'Remarks' },
    ]);
  });
});
