import { expect, it } from 'vitest';
import { changedWords } from './changed-words.ts';

const marked = (from: string, to: string): string[] => {
  const words = changedWords(from, to);
  return [words.from, words.to].map((parts) => parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''));
};

it('marks the words that differ', () => {
  expect(marked('B.Sc. Applied Physics', 'B.Sc. Physics, Honours')).toEqual([
    'B.Sc. [Applied][ ]Physics',
    'B.Sc. Physics[, ][Honours]',
  ]);
});

it('marks nothing in texts that have no word in common', () => {
  expect(marked('Law', 'Medicine')).toEqual(['Law', 'Medicine']);
});
