import { expect, it } from 'vitest';
import { changedWords } from './changed-values.tsx';

it('marks the words that differ, and nothing in texts that have little in common', () => {
  const marked = (from: string, to: string): string[] =>
    Object.values(changedWords(from, to)).map((parts) =>
      parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''),
    );
  expect(marked('Applied Physics', 'Physics, Honours')).toEqual(['[Applied ]Physics', 'Physics[, Honours]']);
  for (const texts of [
    ['Law', 'Medicine'],
    ['Graduate in Engineering', 'Diploma in Pottery'],
    ['NEW-1', '1-44646520544/DAAAC'],
  ] as const)
    expect(marked(texts[0], texts[1])).toEqual(texts);
});
