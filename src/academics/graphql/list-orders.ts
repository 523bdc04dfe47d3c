import { builder } from '../../graphql/builder.ts';
import { listOrders, type OrderedBy } from '../rules/lists.ts';

const withoutValueLast = 'those without one last';

const descriptions: Readonly<Record<OrderedBy, string>> = {
  ID: 'By identifier',
  NAME: 'By name',
  CODE: `By code, ${withoutValueLast}`,
  DURATION: 'By duration, numbers in it by their values',
  BRANCHES: 'By number of branches',
  PROGRAM: 'By name of the program, which takes the permission `programs:read`',
  YEARS: 'By number of years',
  YEAR_CODES: `By prefix of the codes of years, ${withoutValueLast}`,
  DESCRIPTION: `By the first 100 characters of the description, ${withoutValueLast}`,
  CREATED: 'By creation time',
  UPDATED: 'By time of the last update',
  DELETED: 'With the filter `deleted: true`, by time of deletion',
  ATTRIBUTE: `By the value of the attribute \`orderAttribute\`: numbers by their values, before other texts; ${withoutValueLast}`,
};

const relevance =
  'In a search, the most relevant first: those with this code, those whose name or code begins with the words, those that have them, those that have them in names of branches, and, when there are none of these, those with similar words; each by name. Without a search, by identifier.';

/** Descriptions of the arguments of all lists. */
export const orderDescription = 'The order; when absent, `RELEVANCE` in a search and else `ID_ASC`.';
export const orderAttributeDescription =
  'Key of the attribute that `ATTRIBUTE_ASC` and `ATTRIBUTE_DESC` order by; with these alone.';

const valuesOf = (orders: (typeof listOrders)[keyof typeof listOrders]) =>
  Object.fromEntries(
    orders.map((value) => {
      const by = Object.entries(descriptions).find(([name]) => value === `${name}_ASC` || value === `${name}_DESC`);
      const direction = value.endsWith('_ASC') ? 'ascending' : 'descending';
      return [value, { value, description: by === undefined ? relevance : `${by[1]}, ${direction}.` }];
    }),
  );

export const ProgramOrder = builder.enumType('ProgramOrder', {
  description: 'Order of a list of programs. Ties are broken by id.',
  values: valuesOf(listOrders.programs),
});

export const BranchOrder = builder.enumType('BranchOrder', {
  description: 'Order of a list of branches. Ties are broken by id.',
  values: valuesOf(listOrders.branches),
});
