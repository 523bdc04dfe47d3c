import { describe, expect, it } from 'vitest';
import { isTheirs } from './save-cell.ts';

const tried = { key: 'k', typed: 'NEW', version: 3, at: 0 };

describe('a stored value that is not the version which the user has seen', () => {
  it.each([
    ['another field was saved by somebody else', 'OLD', false],
    ['somebody else has typed the same', 'NEW ', false],
    ['an earlier value of the user was saved', 'FIRST', false],
    ['somebody else has typed another', 'THEIRS', true],
    ['somebody else has emptied it', '', true],
    ['somebody else has changed its case', 'old', true],
  ])('when %s, %j, is theirs: %s', (_, stored, theirs) => {
    expect(isTheirs({ tried, known: ['OLD', 'FIRST'] }, stored, 0)).toBe(theirs);
  });

  it('is theirs, though the user has seen it, once the service may have forgotten whether theirs was saved between', () => {
    const dayLater = 24 * 3_600_000;
    expect([
      isTheirs({ tried, known: ['OLD'] }, 'OLD', dayLater),
      isTheirs({ tried, known: [] }, 'NEW', dayLater),
    ]).toEqual([true, false]);
  });
});
