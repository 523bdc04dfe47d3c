import { expect, it } from 'vitest';
import { conditionText } from './condition-text.ts';

it('names a day that goes on with the time at one end of a range, too, and says an end that is no day as it is', () => {
  const textOf = (condition: object) => conditionText('Changed', condition, 'days');
  expect(textOf({ from: 'yesterday', to: 'yesterday' })).toBe('Changed yesterday');
  expect(textOf({ to: 'yesterday' })).toMatch(/^Changed until \d+ \w+ \d{4}$/);
  expect(textOf({ from: 'week', to: 'today' })).toMatch(/^Changed from \d+ \w+ \d{4} to \d+ \w+ \d{4}$/);
  expect(textOf({ to: 'tomorrow' })).toBe('Changed until tomorrow');
});
