import { expect, it } from 'vitest';
import { changedWords } from './changed-values.tsx';

it('marks the words that differ, and nothing in texts that have no word in common', () => {
  const marked = (from: string, to: string): string[] =>
    Object.values(changedWords(from, to)).map((parts) =>
      parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''),
    );
  expect(marked('Applied Physics', 'Physics, Honours')).toEqual(['[Applied ]Physics', 'Physics[, Honours]']);
  expect(marked('Law', 'Medicine')).toEqual(['Law', 'Medicine']);
});
