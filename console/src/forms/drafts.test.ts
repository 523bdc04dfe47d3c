import { expect, it } from 'vitest';
import { draftNames, editDraft, hasDrafts, putInDraft, recordNameIn, removeDraft, writeDraft } from './drafts.ts';

it('names what was typed and is not saved, but no edit whose fields have been changed back', () => {
  const edit = editDraft('PROGRAM', 7);
  const base = { name: 'Physics' };
  writeDraft(edit, { base, typed: { name: 'Physics of stars' }, chosen: {} });
  writeDraft('branch-7', { values: { name: 'Day' }, idempotencyKey: 'k', about: 'Physics' });
  expect([draftNames(), recordNameIn(edit), recordNameIn('branch-7')]).toEqual([
    ['branch-7', edit],
    'Physics',
    'Physics',
  ]);
  removeDraft('branch-7');
  putInDraft(edit, 'name', 'Physics', 'Physics');
  expect([draftNames(), hasDrafts()]).toEqual([[], false]);
});

it('names the record of a value that was put into a form which has not been opened yet', () => {
  const edit = editDraft('BRANCH', 7);
  putInDraft(edit, 'code', 'O-1', 'Optics');
  expect([draftNames(), recordNameIn(edit)]).toEqual([[edit], 'Optics']);
  removeDraft(edit);
});
