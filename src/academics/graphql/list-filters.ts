import { builder } from '../../graphql/builder.ts';
import { AttributeFilter, attributesDescriptions } from './attributes/attribute.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const search = (t: InputFields) => ({
  search: t.string({
    description:
      'Name or code contains every word, ignoring case and accents; when nothing does, every word or one that is similar to it.',
  }),
  searchAttributes: t.boolean({
    description:
      'Whether `search` also matches the values of attributes, with `searchBranches` those of the branches too. False when absent.',
  }),
  deleted: t.boolean({
    description:
      'Deleted records instead of those that exist. Requires the permission to restore them, `programs:write`.',
  }),
});

const recordConditions = (t: InputFields) => ({
  codes: t.stringList({ description: 'Code is exactly one of these, at most 1,000.' }),
  hasCode: t.boolean({ description: 'Whether the record has a code.' }),
  attributes: t.field({ type: [AttributeFilter], description: attributesDescriptions.filter }),
  ids: t.intList({ description: 'Id is one of these, at most 1,000.' }),
  createdSince: t.field({ type: 'DateTime', description: 'Created at or after this time.' }),
  createdBefore: t.field({ type: 'DateTime', description: 'Created before this time.' }),
  updatedSince: t.field({ type: 'DateTime', description: 'Last updated at or after this time.' }),
  updatedBefore: t.field({ type: 'DateTime', description: 'Last updated before this time.' }),
});

const programConditions = (t: InputFields) => ({
  ...recordConditions(t),
  duration: t.string({ description: 'Duration, exactly.' }),
  durations: t.stringList({ description: 'Duration is exactly one of these, at most 1,000.' }),
  hasBranches: t.boolean({
    description: 'Whether the program has branches; of a deleted one, branches deleted with it.',
  }),
  minBranches: t.int({ description: 'The program has at least this many branches.' }),
  maxBranches: t.int({ description: 'The program has at most this many branches.' }),
});

const branchConditions = (t: InputFields) => ({
  ...recordConditions(t),
  programId: t.int({ description: 'Id of the program.' }),
  programIds: t.intList({ description: 'Id of the program is one of these, at most 1,000.' }),
  hasDescription: t.boolean({ description: 'Whether the branch has a description.' }),
  hasCodePrefix: t.boolean({ description: 'Whether the codes of its years have a prefix.' }),
  years: t.int({ description: 'Number of years, exactly.' }),
  yearCounts: t.intList({ description: 'Number of years is one of these.' }),
  minYears: t.int({ description: 'The branch has at least this many years.' }),
  maxYears: t.int({ description: 'The branch has at most this many years.' }),
  yearCodes: t.stringList({ description: 'The code of one of its years is exactly one of these, at most 1,000.' }),
});

const limits = 'They may be three levels deep; a filter has at most 20 conditions in them.';
const descriptions = {
  and: `All of these match. ${limits}`,
  or: `At least one of these matches. ${limits}`,
  not: `This does not match: the record has another value, or none. ${limits}`,
} as const;

/** The types refer to themselves, so by name. */
const combined = (t: InputFields, type: 'ProgramCondition' | 'BranchCondition') => ({
  and: t.field({ type: [type], description: descriptions.and }),
  or: t.field({ type: [type], description: descriptions.or }),
  not: t.field({ type, description: descriptions.not }),
});

const allMatch = 'All given conditions must match.';

builder.inputType('ProgramCondition', {
  description: `Conditions of programs within a filter. ${allMatch}`,
  fields: (t) => ({ ...programConditions(t), ...combined(t, 'ProgramCondition') }),
});

builder.inputType('BranchCondition', {
  description: `Conditions of branches within a filter. ${allMatch}`,
  fields: (t) => ({ ...branchConditions(t), ...combined(t, 'BranchCondition') }),
});

export const ProgramFilterInput = builder.inputType('ProgramFilter', {
  description: `Filter of a list of programs. ${allMatch}`,
  fields: (t) => ({
    ...search(t),
    searchBranches: t.boolean({
      description: 'Whether `search` also matches the names and codes of the branches. False when absent.',
    }),
    ...programConditions(t),
    ...combined(t, 'ProgramCondition'),
  }),
});

export const BranchFilterInput = builder.inputType('BranchFilter', {
  description: `Filter of a list of branches. ${allMatch}`,
  fields: (t) => ({ ...search(t), ...branchConditions(t), ...combined(t, 'BranchCondition') }),
});
