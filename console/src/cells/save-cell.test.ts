import { describe, expect, it } from 'vitest';
import { ownerOf } from './save-cell.ts';

describe('a stored value that is not the version which the user has seen', () => {
  it.each([
    ['another field was saved by somebody else', 'OLD', 'known'],
    ['the response to the save was lost', 'NEW', 'same'],
    ['somebody else has typed the same', 'NEW ', 'same'],
    ['an earlier value of the user was saved', 'FIRST', 'known'],
    ['somebody else has typed another', 'THEIRS', 'theirs'],
    ['somebody else has emptied it', '', 'theirs'],
    ['somebody else has changed its case', 'old', 'theirs'],
  ])('when %s, %j, is %s', (_, stored, owner) => {
    expect(ownerOf({ typed: 'NEW', known: ['OLD', 'FIRST'] }, stored)).toBe(owner);
  });
});
