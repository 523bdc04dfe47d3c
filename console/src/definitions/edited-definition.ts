import type { Definition } from '../fields/definitions.ts';
import { type ChoiceRow, choiceRows, choicesOf } from './choice-rows.ts';

/** What the form of a definition has. */
export interface EditedDefinition
  extends Pick<Definition, 'label' | 'help' | 'kind' | 'ofPrograms' | 'ofBranches' | 'required'> {
  readonly rows: readonly ChoiceRow[];
}

export const editedOf = ({
  label,
  help,
  kind,
  ofPrograms,
  ofBranches,
  required,
  choices,
}: Omit<EditedDefinition, 'rows'> & {
  readonly choices: readonly Definition['choices'][number][];
}): EditedDefinition => ({
  label,
  help,
  kind,
  ofPrograms,
  ofBranches,
  required,
  rows: choiceRows(choices),
});

const fields = ['label', 'help', 'kind', 'ofPrograms', 'ofBranches', 'required', 'rows'] as const;
export type DefinitionField = (typeof fields)[number];

const saidIn = (edited: EditedDefinition, field: DefinitionField): string =>
  field === 'rows' ? JSON.stringify(choicesOf(edited.rows)) : String(edited[field]);

interface Taken {
  readonly edited: EditedDefinition;
  /** What both have changed, each to something else. */
  readonly both: readonly DefinitionField[];
}

/** What was typed into the form of a definition, on top of what somebody else has saved since: `base` is what it began with. */
export function onTopOf(newest: Definition, typed: EditedDefinition, base: Definition): Taken {
  const [before, theirs] = [editedOf(base), editedOf(newest)];
  const typedIn = fields.filter((field) => saidIn(typed, field) !== saidIn(before, field));
  return {
    edited: { ...theirs, ...Object.fromEntries(typedIn.map((field) => [field, typed[field]])) },
    both: typedIn.filter((field) => [before, typed].every((edited) => saidIn(edited, field) !== saidIn(theirs, field))),
  };
}
