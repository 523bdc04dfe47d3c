import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

it('shows what became what, without what says nothing to a reader', () => {
  const before = { id: 1, name: 'Law', code: null, version: 1 };
  const after = { id: 1, name: 'Laws', code: 'LL', version: 2 };

  expect(changedFields(before, after)).toEqual([
    { name: 'name', from: 'Law', to: 'Laws' },
    { name: 'code', from: null, to: 'LL' },
  ]);
  expect(changedFields(null, before)).toEqual([{ name: 'name', from: null, to: 'Law' }]);
  expect(changedFields({ codeIsNumeric: true }, { codeIsNumeric: false })).toEqual([
    { name: 'code is numeric', from: 'true', to: 'false' },
  ]);
});
