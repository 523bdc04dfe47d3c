import { describe, expect, it } from 'vitest';
import type { Definition } from '../fields/definitions.ts';
import { editedOf, onTopOf } from './edited-definition.ts';

const base: Definition = {
  id: 1,
  key: 'level',
  label: 'Level',
  help: '',
  kind: 'CHOICE',
  ofPrograms: true,
  ofBranches: true,
  required: false,
  position: 1,
  version: 3,
  choices: [{ value: 'B', label: 'Bachelor', retired: false, replacedBy: null }],
};
const begun = editedOf(base);
const master = { value: 'M', label: 'Master', retired: false, replacedBy: null };

describe('what is typed into the form of a definition that somebody else saves', () => {
  it('stays, and the rest is as they saved it', () => {
    const newest = { ...base, version: 4, help: 'As in the degree.', choices: [...base.choices, master] };
    const { edited, both } = onTopOf(newest, { ...begun, label: 'Degree level' }, base);
    expect(edited).toEqual({ ...editedOf(newest), label: 'Degree level' });
    expect(both).toEqual([]);
  });

  it('is named where they have saved something else there', () => {
    const newest = { ...base, version: 4, label: 'Grade', required: true, choices: [...base.choices, master] };
    const typed = { ...begun, label: 'Degree level', rows: [], required: true };
    const { edited, both } = onTopOf(newest, typed, base);
    expect(edited).toEqual(typed);
    expect(both).toEqual(['label', 'rows']);
  });
});
