import { expect, it } from 'vitest';
import { warningsOf } from './warnings.ts';

it('reads which record has the same name, and of which kind it is', () => {
  const message = 'Another branch of its program has this name: 7.';
  const warnings = [{ message, path: ['updateBranch'], field: 'name', ids: [7] }];
  expect(warningsOf({ warnings })).toEqual([{ message, kind: 'BRANCH', otherId: 7 }]);
});

it('finds no warnings in a response without them', () => {
  expect(warningsOf(undefined)).toEqual([]);
  expect(warningsOf({})).toEqual([]);
});
