import { expect, it } from 'vitest';
import { describeLines, groupProblems } from './problem-groups.ts';

it('groups problems by column and cause, with their lines and values, the most frequent first', () => {
  const blank = {
    column: 'program_duration',
    rule: 'BLANK',
    message: 'program_duration must not be blank.',
    value: null,
  };
  const years = {
    column: 'branch_years',
    rule: 'TOO_LARGE',
    details: { max: 20 },
    message: 'branch_years is too large.',
  };
  expect(
    groupProblems([
      { ...blank, line: 3 },
      { ...years, line: 3, value: '99' },
      { ...years, line: 5, value: '99' },
      { ...years, line: 9, value: '42' },
    ]),
  ).toEqual([
    { column: 'branch_years', message: 'It must be at most 20.', lines: [3, 5, 9], values: ['99', '42'] },
    { column: 'program_duration', message: 'It must not be empty.', lines: [3], values: [] },
  ]);
});

it.each([
  [[3], 'Line 3'],
  [[2, 3, 4, 9, 1200], 'Lines 2 to 4, 9, 1,200'],
  [Array.from({ length: 102 }, (_, n) => 2 * n), /^Lines 0, 2, .*, 198 and 2 more$/],
])('folds lines into ranges: %s', (lines, text) => {
  expect(describeLines(lines)).toMatch(text);
});
