import { builder } from '../../graphql/builder.ts';
import { listOrders } from '../rules/lists.ts';
import { AttributeFilter, attributesDescriptions } from './attributes/attribute.ts';

const orderDescriptions = {
  ID: 'By identifier',
  NAME: 'By name',
  CREATED: 'By creation time',
  UPDATED: 'By time of the last update',
  DELETED: 'With the filter `deleted: true`, by time of deletion',
} as const;

const relevance =
  'In a search, the most relevant first: those with this code, those whose name or code begins with the words, those that have them, those that have them in names of branches, and, when there are none of these, those with similar words; each by name. Without a search, by identifier.';

/** Describes the argument `orderBy` of all lists. */
export const orderDescription = 'The order; when absent, `RELEVANCE` in a search and else `ID_ASC`.';

const orderValues = Object.fromEntries(
  listOrders.map((order) => {
    if (order === 'RELEVANCE') return [order, { value: order, description: relevance }];
    const [by, direction] = order.split('_');
    const description = Object.entries(orderDescriptions).find(([name]) => name === by)?.[1] ?? order;
    return [
      order,
      { value: order, description: `${description}, ${direction === 'ASC' ? 'ascending' : 'descending'}.` },
    ];
  }),
);

export const ProgramOrderEnum = builder.enumType('ProgramOrder', {
  description: 'Order of a list of programs. Ties are broken by id.',
  values: orderValues,
});

export const BranchOrder = builder.enumType('BranchOrder', {
  description: 'Order of a list of branches. Ties are broken by id.',
  values: orderValues,
});

const deletedDescription =
  'Deleted records instead of those that exist. Requires the permission to restore them, `programs:write`.';

const searchAttributesDescription =
  'Whether `search` also matches the values of attributes, with `searchBranches` those of the branches too. False when absent.';

export const ProgramFilterInput = builder.inputType('ProgramFilter', {
  description: 'Filter of a list of programs. All given conditions must match.',
  fields: (t) => ({
    search: t.string({
      description:
        'Name or code contains every word, ignoring case and accents; when nothing does, every word or one that is similar to it.',
    }),
    searchBranches: t.boolean({
      description: 'Whether `search` also matches the names and codes of the branches. False when absent.',
    }),
    searchAttributes: t.boolean({ description: searchAttributesDescription }),
    duration: t.string({ description: 'Duration, exactly.' }),
    codes: t.stringList({ description: 'Code is exactly one of these, at most 1,000.' }),
    hasCode: t.boolean({ description: 'Whether the program has a code.' }),
    attributes: t.field({ type: [AttributeFilter], description: attributesDescriptions.filter }),
    ids: t.intList({ description: 'Id is one of these, at most 1,000.' }),
    hasBranches: t.boolean({
      description: 'Whether the program has branches; of a deleted one, branches deleted with it.',
    }),
    minBranches: t.int({ description: 'The program has at least this many branches.' }),
    maxBranches: t.int({ description: 'The program has at most this many branches.' }),
    deleted: t.boolean({ description: deletedDescription }),
    createdSince: t.field({ type: 'DateTime', description: 'Created at or after this time.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Last updated at or after this time.' }),
  }),
});

export const BranchFilterInput = builder.inputType('BranchFilter', {
  description: 'Filter of a list of branches. All given conditions must match.',
  fields: (t) => ({
    search: t.string({
      description:
        'Name or code contains every word, ignoring case and accents; when nothing does, every word or one that is similar to it.',
    }),
    searchAttributes: t.boolean({ description: searchAttributesDescription }),
    programId: t.int({ description: 'Id of the program.' }),
    codes: t.stringList({ description: 'Code is exactly one of these, at most 1,000.' }),
    hasCode: t.boolean({ description: 'Whether the branch has a code.' }),
    hasDescription: t.boolean({ description: 'Whether the branch has a description.' }),
    hasCodePrefix: t.boolean({ description: 'Whether the codes of its years have a prefix.' }),
    years: t.int({ description: 'Number of years, exactly.' }),
    yearCodes: t.stringList({ description: 'The code of one of its years is exactly one of these, at most 1,000.' }),
    attributes: t.field({ type: [AttributeFilter], description: attributesDescriptions.filter }),
    deleted: t.boolean({ description: deletedDescription }),
    ids: t.intList({ description: 'Id is one of these, at most 1,000.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Last updated at or after this time.' }),
  }),
});
