import { builder } from '../../graphql/builder.ts';
import { attributesMax } from '../rules/attributes.ts';
import { AttributeInput, attributesDescriptions } from './attributes/attribute.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const program = {
  code: "The university's own code of the program, at most 50 characters.",
  name: 'Name of the program: one line, 1 to 255 characters.',
  duration: 'Duration of the program, such as `4 Years`: one line, 1 to 100 characters.',
} as const;

export const CreateProgramInput = builder.inputType('CreateProgramInput', {
  description: 'A new program.',
  fields: (t) => ({
    name: t.string({ required: true, description: program.name }),
    duration: t.string({ required: true, description: program.duration }),
    code: t.string({ description: program.code }),
    attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.created }),
  }),
});

export const CopyProgramInput = builder.inputType('CopyProgramInput', {
  description: 'What the copy of a program has instead. Its attributes are those of the original.',
  fields: (t) => ({
    name: t.string({ description: `${program.name} That of the original when absent.` }),
    duration: t.string({ description: `${program.duration} That of the original when absent.` }),
    code: t.string({ description: `${program.code} None when absent.` }),
    keepBranchCodes: t.boolean({
      description: 'Whether the branches of the copy have the codes of the originals; without codes when absent.',
    }),
  }),
});

const programChanges = (t: InputFields) => ({
  name: t.string({ description: program.name }),
  duration: t.string({ description: program.duration }),
  code: t.string({ description: program.code }),
  attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.changed }),
});

const unchanged = 'Fields that are absent or `null` stay unchanged, except that `null` clears `code`.';

export const UpdateProgramInput = builder.inputType('UpdateProgramInput', {
  description: `Changes to a program. ${unchanged}`,
  fields: (t) => ({
    ...programChanges(t),
    expectedVersion: t.int({
      description: 'Update only if the program has this version; otherwise fail with `CONFLICT`.',
    }),
  }),
});

const replaceRetired = (t: InputFields) => ({
  replaceRetired: t.stringList({
    description: `Keys of attributes whose retired choices are replaced by their successors, at most ${attributesMax}; records with other values stay.`,
  }),
});

export const UpdateProgramsInput = builder.inputType('UpdateProgramsInput', {
  description: `Changes to programs. ${unchanged}`,
  fields: (t) => ({ ...programChanges(t), ...replaceRetired(t) }),
});

const branch = {
  code: "The university's own code of the branch: one line, at most 50 characters.",
  name: 'Name of the branch: one line, 1 to 255 characters.',
  description: 'Description of the branch: any number of lines, at most 2,000 characters.',
  years: 'Number of years of the branch, 1 to 10.',
  codePrefix: 'Prefix of the year codes, at most 20 characters.',
  codeIsNumeric: 'Whether year codes end in a number (`L1`) rather than a letter (`LA`).',
} as const;

export const CreateBranchInput = builder.inputType('CreateBranchInput', {
  description: 'A new branch of an existing program, with its years.',
  fields: (t) => ({
    programId: t.int({ required: true, description: 'Identifier of the program that the branch belongs to.' }),
    code: t.string({ description: branch.code }),
    name: t.string({ required: true, description: branch.name }),
    description: t.string({ description: `${branch.description} Empty when absent.` }),
    years: t.int({ required: true, description: branch.years }),
    codePrefix: t.string({ description: `${branch.codePrefix} Empty when absent.` }),
    codeIsNumeric: t.boolean({ description: `${branch.codeIsNumeric} True when absent.` }),
    attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.created }),
  }),
});

const branchChanges = (t: InputFields) => ({
  code: t.string({ description: branch.code }),
  name: t.string({ description: branch.name }),
  description: t.string({ description: branch.description }),
  years: t.int({ description: `${branch.years} Years beyond it are removed, missing ones are added.` }),
  codePrefix: t.string({ description: branch.codePrefix }),
  codeIsNumeric: t.boolean({ description: branch.codeIsNumeric }),
  attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.changed }),
});

const codesAgain = 'Year codes are computed again; years that remain keep their ids.';

export const UpdateBranchInput = builder.inputType('UpdateBranchInput', {
  description: `Changes to a branch. ${unchanged} ${codesAgain}`,
  fields: (t) => ({
    programId: t.int({ description: 'Identifier of the program to move the branch to.' }),
    ...branchChanges(t),
    expectedVersion: t.int({
      description: 'Update only if the branch has this version; otherwise fail with `CONFLICT`.',
    }),
  }),
});

export const UpdateBranchesInput = builder.inputType('UpdateBranchesInput', {
  description: `Changes to branches. ${unchanged} ${codesAgain}`,
  fields: (t) => ({
    programId: t.int({ description: 'Identifier of the program to move the branches to.' }),
    ...branchChanges(t),
    ...replaceRetired(t),
  }),
});
