import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

it('shows what became what, without what says nothing to a reader', () => {
  const before = { id: 1, name: 'Law', code: null, version: 1 };
  const after = { id: 1, name: 'Laws', code: 'LL', version: 2 };

  expect(changedFields(before, after)).toEqual([
    { field: 'name', name: 'name', from: 'Law', to: 'Laws', old: 'Law' },
    { field: 'code', name: 'code', from: null, to: 'LL', old: null },
  ]);
  expect(changedFields(null, before)).toMatchObject([{ name: 'name', from: null, to: 'Law' }]);
  expect(changedFields({ codeIsNumeric: true }, { codeIsNumeric: false })).toMatchObject([
    { name: 'code is numeric', from: 'yes', to: 'no' },
  ]);
  expect(changedFields(null, { programs: { created: 56, changed: 0 }, years: { created: 0 } })).toMatchObject([
    { name: 'programs', from: null, to: 'created 56' },
  ]);
  expect(changedFields({ role: null }, { role: 'viewer', list: 'programs' })).toMatchObject([
    { name: 'role', from: null, to: 'viewer' },
    { name: 'list', from: null, to: 'Programs' },
  ]);
  expect(changedFields(null, { expiresAt: '2027-02-20T12:00:46.732Z' })[0]?.to).toMatch(/^20 Feb 2027, /);
});

it('shows the names of users and programs instead of their ids, and attributes by their labels', () => {
  const names = {
    of: (field: string, id: unknown) =>
      ({ programId: id === 7 ? 'Physics' : undefined, 'attributes.level': 'Bachelor' })[field],
    label: (field: string) => (field === 'attributes.level' ? 'Level' : undefined),
  };
  expect(changedFields({ programId: 5 }, { programId: 7 }, names)).toMatchObject([
    { name: 'program', from: '5', to: 'Physics' },
  ]);
  expect(changedFields({ attributes: {} }, { attributes: { level: 'B', z: '1' } }, names)).toMatchObject([
    { field: 'attributes.level', name: 'Level', to: 'Bachelor' },
    { field: 'attributes.z', name: 'z', to: '1' },
  ]);
});
