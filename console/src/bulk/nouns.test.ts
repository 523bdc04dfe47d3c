import { describe, expect, it } from 'vitest';
import { describeDone, describePlan, describeStep, describeUndone, describeValues } from './nouns.ts';

describe('what a change of many records says', () => {
  it('beforehand: how many will change, are the same, and cannot', () => {
    expect([
      describePlan('PROGRAM', 'change', { changed: 139, unchanged: 3, failing: 2 }),
      describePlan('BRANCH', 'move', { changed: 1, unchanged: 1, failing: 0 }),
      describePlan('PROGRAM', 'delete', { changed: 1_000, unchanged: 0, failing: 1 }),
    ]).toEqual([
      '139 programs will change, 3 are the same, 2 cannot.',
      '1 branch will move, 1 is there already.',
      '1,000 programs will be deleted, 1 cannot.',
    ]);
  });

  it('how many branches go with deleted programs, as long as all are listed', () => {
    const counts = { changed: 2, unchanged: 0, failing: 1 };
    const listed = (branches: number) => [
      { kind: 'PROGRAM' } as const,
      { kind: 'PROGRAM' } as const,
      ...Array.from({ length: branches }, () => ({ kind: 'BRANCH' }) as const),
    ];
    expect([0, 1, 12, 998].map((branches) => describePlan('PROGRAM', 'delete', counts, listed(branches)))).toEqual([
      '2 programs will be deleted, 1 cannot.',
      '2 programs will be deleted with 1 branch, 1 cannot.',
      '2 programs will be deleted with 12 branches, 1 cannot.',
      '2 programs will be deleted, 1 cannot.',
    ]);
  });

  it('of the values that the records have: the most frequent first, and how many others', () => {
    const values = ['4 Years', '2 Years', '2 Years', '', '2 Years'];
    expect(describeValues(values)).toBe('3 × “2 Years”, 1 × “4 Years” and 1 × empty');
    expect(describeValues(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a'])).toBe(
      '2 × “a”, 1 × “b”, 1 × “c”, 1 × “d”, 1 × “e” and 2 other values',
    );
  });

  it('on its button, and afterwards', () => {
    expect([describeStep('BRANCH', 'restore', 2), describeDone('BRANCH', 'restore', 2)]).toEqual([
      'Restore 2 branches',
      '2 branches were restored.',
    ]);
    expect(describeDone('PROGRAM', 'change', 1)).toBe('1 program was changed.');
  });

  it('when it is undone: what is as before, and what stays', () => {
    expect([describeUndone(139, 0), describeUndone(1, 1), describeUndone(137, 2)]).toEqual([
      '139 records are as before.',
      '1 record is as before. 1 stays as it is:',
      '137 records are as before. 2 stay as they are:',
    ]);
  });
});
