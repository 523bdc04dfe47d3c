import { describe, expect, it } from 'vitest';
import { doubtOfCode, doubtOfDuration, yearsOf } from './durations.ts';

describe('the years of a duration', () => {
  it('are those that it says in any unit, and none where it says no whole number of years', () => {
    const durations = [
      '2 Years',
      '4',
      '24 months',
      '6 semesters',
      '3 Jahre',
      '18 months',
      '1.5 years',
      'Two years',
      '',
    ];
    expect(durations.map(yearsOf)).toEqual([2, 4, 2, 3, 3, undefined, undefined, undefined, undefined]);
  });
});

describe('a doubt', () => {
  it('is said of a duration without a number and of a code that looks like a duration', () => {
    expect(['', '4 Years', 'Four'].map((text) => doubtOfDuration(text) !== undefined)).toEqual([false, false, true]);
    expect(['', 'CS4', '4 Years'].map((text) => doubtOfCode(text) !== undefined)).toEqual([false, false, true]);
  });
});
