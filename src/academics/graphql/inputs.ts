import type { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { type InputFields, inputFieldsOf } from '../../graphql/zod-inputs.ts';
import { attributesMax } from '../rules/attributes.ts';
import { branchChanges, newBranch } from '../rules/branch.ts';
import { newProgram, programChanges, programCopy } from '../rules/program.ts';
import { AttributeInput, attributesDescriptions } from './attributes/attribute.ts';

type Fields = z.ZodObject<Readonly<Record<string, z.ZodType>> & { readonly attributes: z.ZodType }>;

const fieldsOf = (t: InputFields, { shape: { attributes: _attributes, ...others } }: Fields, description: string) => ({
  ...inputFieldsOf(t, others),
  attributes: t.field({ type: [AttributeInput], description }),
});

const created = (t: InputFields, fields: Fields) => fieldsOf(t, fields, attributesDescriptions.created);
const changed = (t: InputFields, fields: Fields) => fieldsOf(t, fields, attributesDescriptions.changed);

export const CreateProgramInput = builder.inputType('CreateProgramInput', {
  description: 'A new program.',
  fields: (t) => created(t, newProgram),
});

export const CopyProgramInput = builder.inputType('CopyProgramInput', {
  description: 'What the copy of a program has instead. Its attributes are those of the original.',
  fields: (t) => inputFieldsOf(t, programCopy.shape),
});

const unchanged = 'Fields that are absent or `null` stay unchanged, except that `null` clears `code`.';

const expectedVersion = (t: InputFields, kind: 'program' | 'branch') => ({
  expectedVersion: t.int({
    description: `Update only if the ${kind} has this version; otherwise fail with \`CONFLICT\`.`,
  }),
});

export const UpdateProgramInput = builder.inputType('UpdateProgramInput', {
  description: `Changes to a program. ${unchanged}`,
  fields: (t) => ({ ...changed(t, programChanges), ...expectedVersion(t, 'program') }),
});

const replaceRetired = (t: InputFields) => ({
  replaceRetired: t.stringList({
    description: `Keys of attributes whose retired choices are replaced by their successors, at most ${attributesMax}; records with other values stay.`,
  }),
});

export const UpdateProgramsInput = builder.inputType('UpdateProgramsInput', {
  description: `Changes to programs. ${unchanged}`,
  fields: (t) => ({ ...changed(t, programChanges), ...replaceRetired(t) }),
});

export const CreateBranchInput = builder.inputType('CreateBranchInput', {
  description: 'A new branch of an existing program, with its years.',
  fields: (t) => created(t, newBranch),
});

const codesAgain = 'Year codes are computed again; years that remain keep their ids.';

export const UpdateBranchInput = builder.inputType('UpdateBranchInput', {
  description: `Changes to a branch. ${unchanged} ${codesAgain}`,
  fields: (t) => ({ ...changed(t, branchChanges), ...expectedVersion(t, 'branch') }),
});

export const UpdateBranchesInput = builder.inputType('UpdateBranchesInput', {
  description: `Changes to branches. ${unchanged} ${codesAgain}`,
  fields: (t) => ({ ...changed(t, branchChanges), ...replaceRetired(t) }),
});
