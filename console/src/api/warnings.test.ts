import { expect, it } from 'vitest';
import { savedAlikeIn } from './warnings.ts';

const saved = { id: 7, name: 'Laws', code: 'L1', version: 2 };
const warning = (field: string, ids: readonly number[], root = 'updateProgram') => ({
  ...{ message: 'Another program has it.', path: [root], field, ids },
});

it('the warnings of a mutation say which record was saved with the code or name of which others, codes first', () => {
  const alike = { id: 7, name: 'Laws', code: 'L1' };
  expect(
    savedAlikeIn({
      data: { updateProgram: saved },
      extensions: { warnings: [warning('name', [3]), warning('code', [4, 5])] },
    }),
  ).toEqual({ ...alike, kind: 'PROGRAM', field: 'code', others: [4, 5] });
  expect(
    savedAlikeIn({ data: { createBranch: saved }, extensions: { warnings: [warning('name', [3], 'createBranch')] } }),
  ).toEqual({ ...alike, kind: 'BRANCH', field: 'name', others: [3] });
});

it('a response without warnings, or with one that has no record beside it, says none', () => {
  expect(savedAlikeIn({ data: { updateProgram: saved } })).toBeUndefined();
  expect(savedAlikeIn({ data: { updateProgram: saved }, extensions: { warnings: [] } })).toBeUndefined();
  expect(
    savedAlikeIn({ data: { updateProgram: null }, extensions: { warnings: [warning('code', [4])] } }),
  ).toBeUndefined();
});
