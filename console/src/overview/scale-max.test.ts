import { expect, it } from 'vitest';
import { scaleMax } from './scale-max.ts';

it('ends at the largest value, without a few that are many times larger than all others', () => {
  expect([
    scaleMax([3, 8, 5]),
    scaleMax([3, 4_000, 8]),
    scaleMax([4_000, 3_000, 8, 2]),
    scaleMax([0, 7]),
    scaleMax([]),
  ]).toEqual([8, 12, 12, 7, 1]);
});
