import { expect, it } from 'vitest';
import { t } from '../language/language.ts';
import { type Entry, foldChanges, happened, partsOf, summaryOf } from './feed.ts';

const owner = { kind: 'PROGRAM', id: 1 } as const;
const entry = (fields: Partial<Entry>): Entry => ({
  id: '1',
  changeId: 'a',
  requestId: null,
  action: 'UPDATE',
  subject: 'BRANCH',
  subjectId: 7,
  keyId: null,
  actor: 'ada',
  at: '2026-11-25T12:00:00.000Z',
  before: null,
  after: null,
  undoneBy: null,
  undoes: null,
  ...fields,
});
const names = {
  of: (field: string, id: unknown) => (field === 'programId' ? `Program ${id}` : undefined),
  label: () => undefined,
};

it('says what was done to a record', () => {
  const words = (before: unknown, after: unknown) =>
    t.markup('history.ofBranch', {
      ...happened(entry({ before, after }), names),
      name: 'Law',
      record: (name) => name,
    });
  expect(words({ name: 'Law' }, { name: 'Laws' })).toBe('renamed the branch Law');
  expect(words({ code: null }, { code: 'LL' })).toBe('changed the code of the branch Law');
  expect(words({ name: 'Law', code: null }, { name: 'Laws', code: 'LL' })).toBe('changed the branch Law');
  expect(words({ programId: 1 }, { programId: 2 })).toBe('moved the branch Law from Program 1 to Program 2');
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

it('names the fields of many records that were changed, unless they are many or were moved', () => {
  const program = { id: 1, name: 'Law' };
  const partsFor = (fields: string[] | null, movedTo: typeof program | null = null): string =>
    partsOf({ fields, movedTo, programs: 135, branches: 0 }, (field) => field);
  expect(partsFor(['duration'])).toBe('duration of 135 programs');
  expect(partsFor(['code', 'duration'])).toBe('code and duration of 135 programs');
  expect([null, ['a', 'b', 'c', 'd']].map((fields) => partsFor(fields))).toEqual(['135 programs', '135 programs']);
  expect(partsFor(['programId'], program)).toBe('135 programs');
});
