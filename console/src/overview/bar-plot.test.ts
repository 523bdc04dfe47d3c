import { expect, it } from 'vitest';
import { scaleMax } from './bar-plot.tsx';

it('ends at the largest value, without one that is many times larger than all others', () => {
  expect([[3, 8, 5], [3, 4_000, 8], [4_000, 3_000, 8], [0, 7], []].map(scaleMax)).toEqual([8, 12, 4_000, 7, 1]);
});
