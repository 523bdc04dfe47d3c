import * as z from 'zod/mini';
import { formatDay, pluralize } from '../format/text.ts';
import { describeFilters, type ListFilter } from '../lists/filters.ts';
import { day, dropEmpty, ids, idsIn, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';
import type { ProgramFilter, ProgramOrder } from './documents.generated.ts';

const orders = [
  'RELEVANCE',
  'NAME_ASC',
  'NAME_DESC',
  'UPDATED_ASC',
  'UPDATED_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
] as const satisfies readonly ProgramOrder[];

export type Order = (typeof orders)[number];

/** The order without a choice: of a search, the best match first. */
export const orderOf = ({ q, sort }: ProgramsSearch): Order => {
  if (q === undefined) return sort === undefined || sort === 'RELEVANCE' ? 'NAME_ASC' : sort;
  return sort ?? 'RELEVANCE';
};

/** A chosen order; the usual one is not in the address. */
export const sortedBy = (order: string | null): ProgramsSearch => ({ sort: orders.find((one) => one === order) });

const branchCount = optional(z.int().check(z.gte(0), z.lte(1_000_000)));

const programsSearch = z.object({
  /** In the name or the code. */
  q: text,
  /** Whether the names of branches are searched too. */
  inBranches: optional(z.boolean()),
  duration: text,
  branches: optional(z.enum(['with', 'without'])),
  minBranches: branchCount,
  maxBranches: branchCount,
  since: day,
  /** Records that somebody has selected. */
  ids,
  sort: optional(z.enum(orders)),
  columns: text,
});

export type ProgramsSearch = SearchOf<typeof programsSearch>;

export const parseProgramsSearch = (search: Record<string, unknown>): ProgramsSearch =>
  dropEmpty(programsSearch.parse(search));

export function filterOf(search: ProgramsSearch): ProgramFilter {
  const { q, inBranches, duration, branches, minBranches, maxBranches, since, ids } = search;
  return {
    ...(q !== undefined && { search: q }),
    ...(q !== undefined && inBranches === true && { searchBranches: true }),
    ...(duration !== undefined && { duration }),
    ...(branches !== undefined && { hasBranches: branches === 'with' }),
    ...(minBranches !== undefined && { minBranches }),
    ...(maxBranches !== undefined && { maxBranches }),
    ...(since !== undefined && { updatedSince: startOfDay(since) }),
    ...(ids !== undefined && { ids: idsIn(ids) }),
  };
}

/** Whether the search finds fewer programs than the catalog has. */
export const isFiltered = (search: ProgramsSearch): boolean => Object.keys(filterOf(search)).length > 0;

/** `3 branches`, `10 branches or more`. */
export function describeBranches({ minBranches = 0, maxBranches }: ProgramsSearch): string {
  if (maxBranches === 0) return 'No branches';
  if (maxBranches === undefined) return `${pluralize(minBranches, 'branch', 'branches')} or more`;
  if (minBranches === maxBranches) return pluralize(minBranches, 'branch', 'branches');
  return `${minBranches} to ${pluralize(maxBranches, 'branch', 'branches')}`;
}

/** The filters of the list, in the order of their menu. */
export const programFilters: readonly ListFilter<ProgramsSearch>[] = [
  { id: 'duration', name: 'Duration', chosen: ({ duration }) => duration, none: { duration: undefined } },
  {
    id: 'branches',
    name: 'Branches',
    chosen: (search) => {
      if (search.minBranches !== undefined || search.maxBranches !== undefined) return describeBranches(search);
      return search.branches && { with: 'some', without: 'none' }[search.branches];
    },
    none: { branches: undefined, minBranches: undefined, maxBranches: undefined },
  },
  {
    id: 'since',
    name: 'Changed since',
    chosen: ({ since }) => since && `${formatDay(since)} ${since.slice(0, 4)}`,
    none: { since: undefined },
  },
  {
    id: 'inBranches',
    name: 'Search also in',
    chosen: ({ inBranches }) => (inBranches === true ? 'branches' : undefined),
    none: { inBranches: undefined },
    only: { inBranches: true },
  },
  {
    id: 'ids',
    name: 'Only',
    chosen: ({ ids: chosen }) => chosen && pluralize(idsIn(chosen).length, 'selected program'),
    none: { ids: undefined },
    only: null,
  },
];

/** `“physics”, Duration: 3 Years, Branches: some`. */
export function describeFilter(search: ProgramsSearch): string {
  const parts = [search.q === undefined ? '' : `“${search.q}”`, describeFilters(programFilters, search)];
  return parts.filter((part) => part !== '').join(', ');
}
