import * as z from 'zod/mini';
import type { BranchFilter, BranchOrder } from '../branch/documents.generated.ts';
import { yearsMax } from '../branch/year-codes.ts';
import { formatDay, pluralize } from '../format/text.ts';
import { describeFilters, type ListFilter } from '../lists/filters.ts';
import { day, dropEmpty, ids, idsIn, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

const orders = [
  'RELEVANCE',
  'NAME_ASC',
  'NAME_DESC',
  'UPDATED_ASC',
  'UPDATED_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
] as const satisfies readonly BranchOrder[];

const branchesSearch = z.object({
  q: text,
  years: optional(z.int().check(z.gte(1), z.lte(yearsMax))),
  yearCode: text,
  since: day,
  /** Records that somebody has selected. */
  ids,
  sort: optional(z.enum(orders)),
  columns: text,
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

export const branchFilterOf = ({ q, years, yearCode, since, ids: chosen }: BranchesSearch): BranchFilter => ({
  ...(q !== undefined && { search: q }),
  ...(years !== undefined && { years }),
  ...(yearCode !== undefined && { yearCodes: [yearCode] }),
  ...(since !== undefined && { updatedSince: startOfDay(since) }),
  ...(chosen !== undefined && { ids: idsIn(chosen) }),
});

/** The order without a choice: of a search, the best match first. */
export const branchOrderOf = ({ q, sort }: BranchesSearch): (typeof orders)[number] => {
  if (q === undefined) return sort === undefined || sort === 'RELEVANCE' ? 'NAME_ASC' : sort;
  return sort ?? 'RELEVANCE';
};

/** A chosen order; the usual one is not in the address. */
export const branchesSortedBy = (order: string | null): BranchesSearch => ({
  sort: orders.find((one) => one === order),
});

/** The filters of the list, in the order of their menu. */
export const branchFilters: readonly ListFilter<BranchesSearch>[] = [
  {
    id: 'years',
    name: 'Years',
    chosen: ({ years }) => (years === undefined ? undefined : String(years)),
    none: { years: undefined },
  },
  { id: 'yearCode', name: 'Code of a year', chosen: ({ yearCode }) => yearCode, none: { yearCode: undefined } },
  {
    id: 'since',
    name: 'Changed since',
    chosen: ({ since }) => since && `${formatDay(since)} ${since.slice(0, 4)}`,
    none: { since: undefined },
  },
  {
    id: 'ids',
    name: 'Only',
    chosen: ({ ids: chosen }) => chosen && pluralize(idsIn(chosen).length, 'selected branch', 'selected branches'),
    none: { ids: undefined },
    only: null,
  },
];

/** `“optics”, Years: 4`. */
export function describeBranchFilter(search: BranchesSearch): string {
  const parts = [search.q === undefined ? '' : `“${search.q}”`, describeFilters(branchFilters, search)];
  return parts.filter((part) => part !== '').join(', ');
}
