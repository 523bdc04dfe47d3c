import * as z from 'zod/mini';
import type { Search } from '../list-bar/list-filter.ts';
import {
  attributes,
  day,
  ids,
  idsIn,
  optional,
  type SearchOf,
  startOfDay,
  text,
  withOrWithout,
} from '../search-parameters.ts';

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
  /** Searches names and codes. */
  q: text,
  since: day,
  createdSince: day,
  code: withOrWithout,
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
export const commonFilter = ({ q, since, createdSince, code, attributes: values, ids: chosen }: ListSearch) => ({
  ...(q !== undefined && { search: q }),
  ...(since !== undefined && { updatedSince: startOfDay(since) }),
  ...(createdSince !== undefined && { createdSince: startOfDay(createdSince) }),
  ...(code !== undefined && { hasCode: code === 'with' }),
  ...(values !== undefined && { attributes: Object.entries(values).map(([key, value]) => ({ key, value })) }),
  ...(chosen !== undefined && { ids: idsIn(chosen) }),
});

/** Returns the order: by default the best match first in a search, else by name. */
export function orderOf({ q, sort }: ListSearch): Order {
  if (q === undefined) return sort === undefined || sort === 'RELEVANCE' ? 'NAME_ASC' : sort;
  return sort ?? 'RELEVANCE';
}

/** A chosen order; the usual one is not in the address. */
export const sortedBy = (order: string | null): ListSearch => ({ sort: orders.find((one) => one === order) });

/** The filter by one more attribute; those that are chosen have their key behind it. */
export const newAttribute = 'attribute ';

/** The search with a value of an attribute, `null` for none; `undefined` drops that filter. */
export function withAttribute(search: Search, key: string, value: string | null | undefined) {
  const chosen = Object.entries(attributes.parse(search['attributes']) ?? {});
  const others = chosen.filter(([name]) => name !== key);
  const next = value === undefined ? others : [...others, [key, value] as const];
  return { attributes: next.length === 0 ? undefined : Object.fromEntries(next) };
}
