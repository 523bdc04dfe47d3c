import * as z from 'zod/mini';
import { formatDay, pluralize } from '../format/text.ts';
import { describeFilters, type ListFilter } from '../list-bar/filters.ts';
import { attributes, day, ids, idsIn, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

const orders = [
  'RELEVANCE',
  'NAME_ASC',
  'NAME_DESC',
  'UPDATED_ASC',
  'UPDATED_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
] as const;

/** Common parameters of the lists of programs and branches. */
export const listSearch = {
  /** In names and codes. */
  q: text,
  since: day,
  attributes,
  /** Records that somebody has selected. */
  ids,
  sort: optional(z.enum(orders)),
  columns: text,
  /** The record that is shown beside the list. */
  beside: optional(z.int()),
};

type Order = (typeof orders)[number];

export type ListSearch = SearchOf<z.ZodMiniObject<typeof listSearch>>;

/** The common part of their filters. */
export const commonFilter = ({ q, since, attributes: values, ids: chosen }: ListSearch) => ({
  ...(q !== undefined && { search: q }),
  ...(since !== undefined && { updatedSince: startOfDay(since) }),
  ...(values !== undefined && { attributes: Object.entries(values).map(([key, value]) => ({ key, value })) }),
  ...(chosen !== undefined && { ids: idsIn(chosen) }),
});

/** The order. By default the best match comes first in a search, otherwise the list is by name. */
export function orderOf({ q, sort }: ListSearch): Order {
  if (q === undefined) return sort === undefined || sort === 'RELEVANCE' ? 'NAME_ASC' : sort;
  return sort ?? 'RELEVANCE';
}

/** A chosen order; the usual one is not in the address. */
export const sortedBy = (order: string | null): ListSearch => ({ sort: orders.find((one) => one === order) });

export const sinceFilter: ListFilter<ListSearch> = {
  id: 'since',
  name: 'Changed since',
  chosen: ({ since }) => since && `${formatDay(since)} ${since.slice(0, 4)}`,
  none: { since: undefined },
};

const attributeId = 'attribute ';

/** The key of the attribute that a filter is about: empty for a new one, `null` for other filters. */
export const attributeKeyOf = (id: string): string | null =>
  id.startsWith(attributeId) ? id.slice(attributeId.length) : null;

/** A filter by one more attribute, and each that is chosen. */
export const attributeFilters = ({ attributes: chosen = {} }: ListSearch): readonly ListFilter<ListSearch>[] => [
  { id: attributeId, name: 'Attribute', chosen: () => undefined, none: {} },
  ...Object.entries(chosen).map(([key, value]) => ({
    id: attributeId + key,
    name: key,
    chosen: () => value ?? 'none',
    none: withAttribute({ attributes: chosen }, key, undefined),
  })),
];

/** The search with a value of an attribute, `null` for none; `undefined` drops that filter. */
export function withAttribute({ attributes: chosen = {} }: ListSearch, key: string, value: string | null | undefined) {
  const others = Object.entries(chosen).filter(([name]) => name !== key);
  const next = value === undefined ? others : [...others, [key, value] as const];
  return { attributes: next.length === 0 ? undefined : Object.fromEntries(next) };
}

export const idsFilter = (one: string, many: string): ListFilter<ListSearch> => ({
  id: 'ids',
  name: 'Only',
  chosen: ({ ids: chosen }) => chosen && pluralize(idsIn(chosen).length, `selected ${one}`, `selected ${many}`),
  none: { ids: undefined },
  only: null,
});

/** `“physics”, Duration: 3 Years, Branches: some`. */
export function describeSearch<Search extends ListSearch>(filters: readonly ListFilter<Search>[], search: Search) {
  const parts = [search.q === undefined ? '' : `“${search.q}”`, describeFilters(filters, search)];
  return parts.filter((part) => part !== '').join(', ');
}
