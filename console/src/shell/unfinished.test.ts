import { expect, it } from 'vitest';
import { editionDraft } from '../editions/new-edition.tsx';
import { editDraft } from '../forms/drafts.ts';
import { noteDraft } from '../note/new-note.tsx';
import { formOf } from './unfinished.tsx';

it.each([
  ['program', { form: 'program', kind: 'PROGRAM', id: Number.NaN }],
  ['branch-7', { form: 'branch', kind: 'PROGRAM', id: 7 }],
  ['copy-7', { form: 'copy', kind: 'PROGRAM', id: 7 }],
  [editDraft('BRANCH', 7), { form: 'edit', kind: 'BRANCH', id: 7 }],
  [noteDraft({ kind: 'PROGRAM', id: 7 }), { form: 'note', kind: 'PROGRAM', id: 7 }],
  ['notes-BRANCH', { form: 'notes', kind: 'BRANCH', id: Number.NaN }],
  [editionDraft, { form: 'edition', kind: 'PROGRAM', id: Number.NaN }],
  ['cells', undefined],
])('the draft %j is of %o', (name, form) => {
  expect(formOf(name)).toEqual(form);
});
