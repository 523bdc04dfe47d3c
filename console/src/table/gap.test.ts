import { describe, expect, it } from 'vitest';
import { indexAt, isAcross, positionOf, sideToFill } from './gap.ts';

const gap = { at: 100, size: 800 };

describe('a list whose first and last rows are loaded', () => {
  it.each([
    [0, 0],
    [99, 99],
    [100, 900],
    [199, 999],
  ])('has row %i at position %i', (index, position) => {
    expect([positionOf(gap, index), indexAt(gap, position)]).toEqual([position, index]);
  });

  it('has no row in its gap, and every row in its place without one', () => {
    expect([100, 500, 899].map((position) => indexAt(gap, position))).toEqual([undefined, undefined, undefined]);
    expect([positionOf(undefined, 500), indexAt(undefined, 500)]).toEqual([500, 500]);
  });

  it.each([
    ['far above', 0, 30, undefined],
    ['just above', 20, 50, 'start'],
    ['at its begin', 90, 120, 'start'],
    ['in its first half', 300, 330, 'start'],
    ['in its second half', 600, 630, 'end'],
    ['at its end', 880, 910, 'end'],
    ['just below', 930, 960, 'end'],
    ['far below', 970, 1000, undefined],
  ] as const)('fills it %s, rows %i to %i, from the %s', (_, first, last, side) => {
    expect(sideToFill(gap, first, last, 60)).toBe(side);
  });

  it('has no step across it', () => {
    expect([
      isAcross(100, 99, 100),
      isAcross(100, 100, 99),
      isAcross(100, 98, 99),
      isAcross(undefined, 99, 100),
    ]).toEqual([true, true, false, false]);
  });
});
