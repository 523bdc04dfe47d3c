import { builder } from '../../graphql/builder.ts';
import { orderedBy } from '../rules/lists.ts';

const relevance =
  'In a search, the most relevant first: those with this code, those whose name or code begins with the words, those that have them, those that have them in names of branches, and, when there are none of these, those with similar words; each by name. Without a search, by identifier.';

/** Descriptions of the arguments of all lists. */
export const orderDescription = 'The order; when absent, `RELEVANCE` in a search and else `ID_ASC`.';
export const orderAttributeDescription =
  'Key of the attribute that `ATTRIBUTE_ASC` and `ATTRIBUTE_DESC` order by; with these alone.';

const valuesOf = (orders: (typeof orderedBy)[keyof typeof orderedBy]) => ({
  ...Object.fromEntries(
    orders.flatMap(({ by, description }) => [
      [`${by}_ASC`, { description: `${description}, ascending.` }],
      [`${by}_DESC`, { description: `${description}, descending.` }],
    ]),
  ),
  RELEVANCE: { description: relevance },
});

export const ProgramOrder = builder.enumType('ProgramOrder', {
  description: 'Order of a list of programs. Ties are broken by id.',
  values: valuesOf(orderedBy.programs),
});

export const BranchOrder = builder.enumType('BranchOrder', {
  description: 'Order of a list of branches. Ties are broken by id.',
  values: valuesOf(orderedBy.branches),
});
