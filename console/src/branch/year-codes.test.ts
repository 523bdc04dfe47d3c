import { expect, it } from 'vitest';
import { yearCodes } from './year-codes.ts';

it('previews the codes that the service makes: a number or a letter behind the prefix', () => {
  expect(yearCodes(3, 'L', true)).toEqual(['L1', 'L2', 'L3']);
  expect(yearCodes(10, 'L', false).at(-1)).toBe('LJ');
});
