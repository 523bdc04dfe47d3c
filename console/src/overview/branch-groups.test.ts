import { expect, it } from 'vitest';
import { branchGroups } from './branch-groups.ts';

it('groups programs by their number of branches, each with the list that it counts', () => {
  const counts = [
    { branches: 0, count: 7 },
    { branches: 1, count: 4 },
    { branches: 10, count: 2 },
    { branches: 31, count: 1 },
  ];

  expect(branchGroups(counts)).toEqual([
    { label: 'none', count: 7, search: { minBranches: 0, maxBranches: 0 } },
    { label: '1 branch', count: 4, search: { minBranches: 1, maxBranches: 1 } },
    { label: '10 or more', count: 3, search: { minBranches: 10 } },
  ]);
  expect(branchGroups([])).toEqual([]);
});
