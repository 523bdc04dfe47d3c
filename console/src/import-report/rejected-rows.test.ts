import { expect, it } from 'vitest';
import { rejectedRows } from './rejected-rows.ts';

it('says what is wrong with the rows of a file in words of the console, and leaves their cells as they are', () => {
  const csv = 'line,problem,Title,branch_name\n2,program_name must not be blank.,,"A, ""B""\nC"\n9,"Cut, off",x,\n';
  const blank = {
    line: 2,
    column: 'program_name',
    rule: 'BLANK',
    message: 'program_name must not be blank.',
    value: null,
  };
  const twice = { line: 2, column: null, rule: 'NO_JSON_OBJECT', message: 'No object.', value: null };
  expect(rejectedRows(csv, [blank, twice], { Title: 'program_name' })).toBe(
    `"Line","Problems",Title,branch_name
2,"Title: It must not be empty. It is not a JSON object.",,"A, ""B""\nC"
9,"Cut, off",x,
`,
  );
});
