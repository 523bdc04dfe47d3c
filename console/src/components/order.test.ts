import { expect, it } from 'vitest';
import { withMoved } from './order.ts';

it('an item moves to a place that there is', () => {
  const moves = [
    [0, 2],
    [2, 1],
    [0, -1],
    [2, 3],
  ] as const;
  expect(moves.map(([from, to]) => withMoved(['a', 'b', 'c'], from, to).join(''))).toEqual([
    'bca',
    'acb',
    'abc',
    'abc',
  ]);
});
