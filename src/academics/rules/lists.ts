import { z } from 'zod';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';
import { attributeKey } from './attributes.ts';
import {
  branchFilter,
  identifiers,
  limitConditions,
  noBranchFilter,
  noProgramFilter,
  programFilter,
} from './filters.ts';

const withoutValueLast = 'those without one last';

const order = <By extends string>(by: By, description: string) => ({ by, description, isByNumber: false });
const orderByNumber = <By extends string>(by: By, description: string) => ({ by, description, isByNumber: true });

const recordOrders = [
  order('ID', 'By identifier'),
  order('NAME', 'By name'),
  order('CODE', `By code, ${withoutValueLast}`),
  order('CREATED', 'By creation time'),
  order('UPDATED', 'By time of the last update'),
  order('DELETED', 'With the filter `deleted: true`, by time of deletion'),
  order(
    'ATTRIBUTE',
    `By the value of the attribute \`orderAttribute\`: numbers by their values, before other texts; ${withoutValueLast}`,
  ),
] as const;

/** By what lists are ordered; the id breaks ties, so that every position is unique. Descriptions are those of the schema. */
export const orderedBy = {
  programs: [
    ...recordOrders,
    order('DURATION', 'By duration, numbers in it by their values'),
    orderByNumber('BRANCHES', 'By number of branches'),
  ],
  branches: [
    ...recordOrders,
    order('PROGRAM', 'By name of the program, which takes the permission `programs:read`'),
    orderByNumber('YEARS', 'By number of years'),
    order('YEAR_CODES', `By prefix of the codes of years, ${withoutValueLast}`),
    order('DESCRIPTION', `By the first 100 characters of the description, ${withoutValueLast}`),
  ],
} as const;
export type OrderedBy = (typeof orderedBy)[keyof typeof orderedBy][number]['by'];
export type ListOrder = `${OrderedBy}_${'ASC' | 'DESC'}` | 'RELEVANCE';

const bothWays = <By extends OrderedBy>(list: readonly { readonly by: By }[]) =>
  [...list.flatMap(({ by }) => [`${by}_ASC`, `${by}_DESC`] as const), 'RELEVANCE'] as const;
export const listOrders = { programs: bothWays(orderedBy.programs), branches: bothWays(orderedBy.branches) };

export interface Ordering {
  readonly by: OrderedBy | 'RELEVANCE';
  readonly isDescending: boolean;
  /** The key of the attribute, of that order alone. */
  readonly attribute: string | undefined;
}

const byId: Ordering = { by: 'ID', isDescending: false, attribute: undefined };

interface ListRequest {
  readonly filter: { readonly deleted?: boolean | undefined; readonly search?: string | undefined };
  readonly orderBy: ListOrder;
  readonly orderAttribute?: string | undefined;
}

/** A search is ordered by relevance, unless the caller says otherwise; without words, nothing is more relevant. */
export function orderingOf({ filter, orderBy, orderAttribute }: ListRequest): Ordering {
  const by = orderedByOf(orderBy);
  if (by === 'RELEVANCE' && searchedWords(filter.search).length === 0) return byId;
  return { by, isDescending: orderBy.endsWith('_DESC'), attribute: orderAttribute };
}

const orders = [...orderedBy.programs, ...orderedBy.branches];
const orderedByOf = (order: ListOrder): Ordering['by'] =>
  orders.find(({ by }) => order === `${by}_ASC` || order === `${by}_DESC`)?.by ?? 'RELEVANCE';

/** Whether the values that a list is ordered by are whole numbers, and not texts, in cursors too. */
export const isByNumber = (ordering: Ordering): boolean =>
  orders.some(({ by, isByNumber }) => by === ordering.by && isByNumber);

/** Reports an order whose value no record of the list has, or one that does not say by what. */
function checkOrder({ filter, orderBy, orderAttribute }: ListRequest, context: z.RefinementCtx): void {
  const by = orderedByOf(orderBy);
  const report = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (by === 'DELETED' && filter.deleted !== true) report('orderBy', `${orderBy} requires the filter deleted: true.`);
  if ((by === 'ATTRIBUTE') === (orderAttribute !== undefined)) return;
  if (by === 'ATTRIBUTE') report('orderAttribute', `${orderBy} requires orderAttribute, the key of the attribute.`);
  else report('orderAttribute', 'orderAttribute requires the order ATTRIBUTE_ASC or ATTRIBUTE_DESC.');
}

const orderAttribute = orAbsent(attributeKey);
const orderOf = <Kind extends keyof typeof listOrders>(kind: Kind) => {
  const values = listOrders[kind].join(', ');
  return orDefault(z.enum(listOrders[kind], issue('NOT_ONE_OF', { field: 'orderBy', values })), 'RELEVANCE');
};

interface Listing extends Omit<ListRequest, 'filter'> {
  readonly filter: ListRequest['filter'] & Parameters<typeof limitConditions>[0];
}

function checkListing(listing: Listing, context: z.RefinementCtx): void {
  checkOrder(listing, context);
  limitConditions(listing.filter, context);
}

const programOrder = { orderBy: orderOf('programs'), orderAttribute };

export const programListRequest = z
  .object({ filter: orDefault(programFilter, noProgramFilter), ...programOrder })
  .superRefine(checkListing);

export const branchListRequest = z
  .object({ filter: orDefault(branchFilter, noBranchFilter), orderBy: orderOf('branches'), orderAttribute })
  .superRefine(checkListing);

/** What an export has: programs of a filter with all their branches, or chosen branches and their programs. */
export const exportFields = programFilter
  .omit({ deleted: true })
  .extend({ ...programOrder, branchIds: identifiers('branchIds') });

/** A misspelled field of a filter would export everything. */
export const exportedList = z
  .strictObject(exportFields.shape)
  .transform(({ orderBy, orderAttribute, branchIds, ...fields }, context) => {
    const listing = { filter: { ...fields, deleted: undefined }, orderBy, orderAttribute };
    checkListing(listing, context);
    const ordering = orderingOf(listing);
    return { filter: listing.filter, branchIds, ordering: ordering.by === 'RELEVANCE' ? byId : ordering };
  });

export type ExportedList = z.output<typeof exportedList>;

/** The words of a search, which must all match; none matches everything. */
export function searchedWords(search = ''): string[] {
  return search.split(/\s+/).filter((word) => word !== '');
}
