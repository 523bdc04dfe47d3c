import { expect, it } from 'vitest';
import { hasSuggestions } from './arrow-keys.ts';

it.each([
  ['mas', true],
  ['STER', true],
  ['Master', false],
  ['Doctor', false],
  ['', true],
])('for the text %j, Master is suggested: %s', (typed, isSuggested) => {
  expect(hasSuggestions(['Master'], typed)).toBe(isSuggested);
});
