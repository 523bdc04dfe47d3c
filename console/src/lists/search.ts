import * as z from 'zod/mini';
import { id, ids, idsIn, optional, type SearchOf, text } from '../search-parameters.ts';
import {
  type Condition,
  condition,
  conditionIn,
  conditionOrText,
  conditionsBy,
  daysCondition,
  type Given,
  instantsIn,
  negated,
} from './condition.ts';
import type { Search } from './list-filter.ts';

/** Common parameters of the lists of programs and branches. */
export const listSearch = {
  /** Searches names and codes. */
  q: text,
  changed: daysCondition,
  created: daysCondition,
  code: condition,
  /** By key; `null`: records without it. */
  attributes: optional(z.record(z.string(), z.nullable(conditionOrText))),
  /** Records with an attribute whose definition would not take it as it is, or that is required and missing. */
  problem: optional(z.literal(true)),
  /** Records that somebody has selected. */
  ids,
  /** Whether any of the conditions may match, instead of all. */
  match: optional(z.literal('any')),
  /** The attribute that the list is ordered by. */
  sortKey: text,
  columns: text,
  /** The record that is shown beside the list. */
  beside: id,
};

export type ListSearch = SearchOf<z.ZodMiniObject<typeof listSearch>> & { readonly sort?: string | undefined };

const sharedOrders = ['NAME', 'CODE', 'UPDATED', 'CREATED', 'ID', 'ATTRIBUTE'] as const;

/** The order of a list: by the columns of all lists, or by one of these. */
export const sortBy = <By extends string>(columns: readonly By[]) =>
  optional(
    z.enum(['RELEVANCE', ...[...sharedOrders, ...columns].flatMap((by) => [`${by}_ASC`, `${by}_DESC`] as const)]),
  );

const recordConditions = {
  code: ({ is, has }: Condition) => ({ codes: is, hasCode: has }),
  changed: (days: Condition) => ({ updatedSince: instantsIn(days).since, updatedBefore: instantsIn(days).before }),
  created: (days: Condition) => ({ createdSince: instantsIn(days).since, createdBefore: instantsIn(days).before }),
};

const attributeConditions = (key: string, { is, has, problem, from, to }: Condition) => ({
  attributes: [
    { key, ...(is?.length === 1 ? { value: is[0] } : { values: is }), hasValue: has, hasProblem: problem, from, to },
  ],
});

/** The filter of the service: the words, the selected records, and conditions, all or any of which must match. */
export function filterBy<Condition>(search: ListSearch, own: readonly Condition[]) {
  const { q, problem, ids: chosen, attributes = {}, match = 'all' } = search;
  const conditions = [
    ...own,
    ...conditionsBy(recordConditions, search),
    ...Object.entries(attributes).map(([key, given]) =>
      negated(given === null ? { has: false } : conditionIn(given), (parts) => attributeConditions(key, parts)),
    ),
  ];
  return {
    ...(q !== undefined && { search: q }),
    ...(problem && { hasProblem: true }),
    ...(chosen !== undefined && { ids: idsIn(chosen) }),
    ...(conditions.length > 0 && (match === 'any' ? { or: conditions } : { and: conditions })),
  };
}

interface OrderSearch<Order extends string> {
  readonly q?: string | undefined;
  readonly sort?: Order | undefined;
  readonly sortKey?: string | undefined;
}

/** The order. By default the best match comes first in a search, otherwise the list is by name. */
export function orderOf<Order extends string>({ q, sort, sortKey }: OrderSearch<Order>) {
  const isByAttribute = sort?.startsWith('ATTRIBUTE') === true;
  const isUsual =
    sort === undefined || (sort === 'RELEVANCE' && q === undefined) || (isByAttribute && sortKey === undefined);
  if (isUsual) return { orderBy: q === undefined ? 'NAME_ASC' : 'RELEVANCE', orderAttribute: null } as const;
  return { orderBy: sort, orderAttribute: isByAttribute ? (sortKey ?? null) : null };
}

/** An order as a text: that of an attribute with its key. */
export function orderTextOf(search: ListSearch): string {
  const { orderBy, orderAttribute } = orderOf(search);
  return orderAttribute === null ? orderBy : `${orderBy} ${orderAttribute}`;
}

/** A chosen order; the usual one is not in the address. */
export function sortedBy(order: string | null): Search {
  const [sort, sortKey] = order?.split(' ') ?? [];
  return { sort, sortKey };
}

/** The filter by one more attribute. */
export const newAttribute = 'attribute';

export const attributesIn = (search: Search) => listSearch.attributes.parse(search['attributes']) ?? {};

/** The search with a condition of an attribute; `undefined` drops that filter. */
export function withAttribute(search: Search, key: string, given: Given | undefined) {
  const { [key]: _previous, ...others } = attributesIn(search);
  const next = given === undefined ? others : { ...others, [key]: given };
  return { attributes: Object.keys(next).length === 0 ? undefined : next };
}
