import { builder } from '../../graphql/builder.ts';
import { AttributeInput, attributesDescriptions } from './attributes/attribute.ts';

const code = "The university's own code of the branch: one line, at most 50 characters.";
const name = 'Name of the branch: one line, 1 to 255 characters.';
const description = 'Description of the branch: any number of lines, at most 2,000 characters.';
const years = 'Number of years of the branch, 1 to 10.';
const codePrefix = 'Prefix of the year codes, at most 20 characters.';
const codeIsNumeric = 'Whether year codes end in a number (`L1`) rather than a letter (`LA`).';

export const CreateBranchInput = builder.inputType('CreateBranchInput', {
  description: 'A new branch of an existing program, with its years.',
  fields: (t) => ({
    programId: t.int({ required: true, description: 'Identifier of the program that the branch belongs to.' }),
    code: t.string({ description: code }),
    name: t.string({ required: true, description: name }),
    description: t.string({ description: `${description} Empty when absent.` }),
    years: t.int({ required: true, description: years }),
    codePrefix: t.string({ description: `${codePrefix} Empty when absent.` }),
    codeIsNumeric: t.boolean({ description: `${codeIsNumeric} True when absent.` }),
    attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.created }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Of one branch or of many. */
const changes = (t: InputFields) => ({
  code: t.string({ description: code }),
  name: t.string({ description: name }),
  description: t.string({ description }),
  years: t.int({ description: `${years} Years beyond it are removed, missing ones are added.` }),
  codePrefix: t.string({ description: codePrefix }),
  codeIsNumeric: t.boolean({ description: codeIsNumeric }),
  attributes: t.field({ type: [AttributeInput], description: attributesDescriptions.changed }),
});

export const UpdateBranchInput = builder.inputType('UpdateBranchInput', {
  description:
    'Changes to a branch. Fields that are absent or `null` stay unchanged, except that `null` clears `code`. Year codes are computed again; years that remain keep their ids.',
  fields: (t) => ({
    programId: t.int({ description: 'Identifier of the program to move the branch to.' }),
    ...changes(t),
    expectedVersion: t.int({
      description: 'Update only if the branch has this version; otherwise fail with `CONFLICT`.',
    }),
  }),
});

export const UpdateBranchesInput = builder.inputType('UpdateBranchesInput', {
  description:
    'Changes to branches. Fields that are absent or `null` stay unchanged, except that `null` clears `code`. Year codes are computed again; years that remain keep their ids.',
  fields: (t) => ({
    programId: t.int({ description: 'Identifier of the program to move the branches to.' }),
    ...changes(t),
  }),
});
