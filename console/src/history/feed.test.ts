import { expect, it } from 'vitest';
import { type Entry, foldChanges, happened, summaryOf } from './feed.ts';

const owner = { kind: 'PROGRAM', id: 1 } as const;
const entry = (fields: Partial<Entry>): Entry => ({
  id: '1',
  changeId: 'a',
  action: 'UPDATE',
  subject: 'BRANCH',
  subjectId: 7,
  keyId: null,
  actor: 'ada',
  at: '2026-11-25T12:00:00.000Z',
  before: null,
  after: null,
  ...fields,
});
const nameOf = (field: string, id: unknown) => (field === 'programId' ? `Program ${id}` : undefined);

it('says what was done to a record', () => {
  const words = (before: unknown, after: unknown) => Object.values(happened(entry({ before, after }), owner, nameOf));
  expect(words({ name: 'Law' }, { name: 'Laws' })).toEqual(['renamed', '']);
  expect(words({ code: null }, { code: 'LL' })).toEqual(['changed the code of', '']);
  expect(words({ name: 'Law', code: null }, { name: 'Laws', code: 'LL' })).toEqual(['changed', '']);
  expect(words({ programId: 2 }, { programId: 1 })).toEqual(['moved', 'here from Program 2']);
  expect(words({ programId: 1 }, { programId: 2 })).toEqual(['moved', 'to Program 2']);
});

it('makes one of the entries of a change, with their number', () => {
  const entries = [
    entry({ id: '4', changeId: 'b', action: 'DELETE' }),
    entry({ id: '3', action: 'CREATE' }),
    entry({ id: '2', action: 'CREATE' }),
    entry({ id: '1', action: 'CREATE', subject: 'PROGRAM', subjectId: 1 }),
  ];
  const folded = foldChanges(entries);
  expect(folded.map((change) => change.map(({ id }) => id))).toEqual([['4'], ['3', '2', '1']]);
  expect(folded.map((change) => summaryOf(change, owner))).toEqual(['deleted 1 branch', 'created it and 2 branches']);
});
