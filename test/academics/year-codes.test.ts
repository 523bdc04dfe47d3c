import { describe, expect, it } from 'vitest';
import { yearsMax, yearsOf } from '../../src/academics/rules/year-codes.ts';

const codes = (...options: Parameters<typeof yearsOf>): string[] => yearsOf(...options).map(({ code }) => code);

describe('the years of a branch', () => {
  it('are numbered from 1, with codes made of prefix and number', () => {
    expect(yearsOf(3, 'L', true)).toEqual([
      { year: 1, code: 'L1' },
      { year: 2, code: 'L2' },
      { year: 3, code: 'L3' },
    ]);
  });

  it('have letters instead of numbers when codes are not numeric', () => {
    expect(yearsOf(3, 'L', false)).toEqual([
      { year: 1, code: 'LA' },
      { year: 2, code: 'LB' },
      { year: 3, code: 'LC' },
    ]);
  });

  it('have codes without a prefix when it is empty', () => {
    expect([codes(2, '', true), codes(2, '', false)]).toEqual([
      ['1', '2'],
      ['A', 'B'],
    ]);
  });

  it('go up to ten', () => {
    expect(codes(yearsMax, 'Y', true).at(-1)).toBe('Y10');
    expect(codes(yearsMax, 'Y', false).at(-1)).toBe('YJ');
  });
});
