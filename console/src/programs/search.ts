import * as z from 'zod/mini';
import { formatDay, pluralize } from '../format/text.ts';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';
import type { ProgramFilter, ProgramOrder } from './documents.generated.ts';

const orders = [
  { value: 'RELEVANCE', text: 'Best match first' },
  { value: 'NAME_ASC', text: 'Name, A to Z' },
  { value: 'NAME_DESC', text: 'Name, Z to A' },
  { value: 'UPDATED_DESC', text: 'Last changed first' },
  { value: 'UPDATED_ASC', text: 'Last changed last' },
  { value: 'CREATED_DESC', text: 'Newest first' },
  { value: 'CREATED_ASC', text: 'Oldest first' },
] as const satisfies readonly { value: ProgramOrder; text: string }[];

export type Order = (typeof orders)[number]['value'];

/** The order without a choice: of a search, the best match first. */
const usualOrder = ({ q }: ProgramsSearch): Order => (q === undefined ? 'NAME_ASC' : 'RELEVANCE');

/** Those that make sense for this list. */
export const ordersFor = ({ q }: ProgramsSearch) =>
  q === undefined ? orders.filter(({ value }) => value !== 'RELEVANCE') : orders;

export const orderOf = (search: ProgramsSearch): Order =>
  search.q === undefined && search.sort === 'RELEVANCE' ? usualOrder(search) : (search.sort ?? usualOrder(search));

/** The usual order is not in the URL. */
export const sortedBy = (search: ProgramsSearch, order: Order): ProgramsSearch => ({
  ...search,
  sort: order === usualOrder(search) ? undefined : order,
});

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
  sort: optional(z.enum(orders.map(({ value }) => value))),
});

export type ProgramsSearch = SearchOf<typeof programsSearch>;

export const parseProgramsSearch = (search: Record<string, unknown>): ProgramsSearch =>
  dropEmpty(programsSearch.parse(search));

export function filterOf(search: ProgramsSearch): ProgramFilter {
  const { q, inBranches, duration, branches, minBranches, maxBranches, since } = search;
  return {
    ...(q !== undefined && { search: q }),
    ...(q !== undefined && inBranches === true && { searchBranches: true }),
    ...(duration !== undefined && { duration }),
    ...(branches !== undefined && { hasBranches: branches === 'with' }),
    ...(minBranches !== undefined && { minBranches }),
    ...(maxBranches !== undefined && { maxBranches }),
    ...(since !== undefined && { updatedSince: startOfDay(since) }),
  };
}

/** Whether the search finds fewer programs than the catalog has. */
export const isFiltered = ({ q, duration, branches, minBranches, maxBranches, since }: ProgramsSearch): boolean =>
  [q, duration, branches, minBranches, maxBranches, since].some((value) => value !== undefined);

/** `3 branches`, `10 branches or more`. */
export function describeBranches({ minBranches = 0, maxBranches }: ProgramsSearch): string {
  if (maxBranches === 0) return 'No branches';
  if (maxBranches === undefined) return `${pluralize(minBranches, 'branch', 'branches')} or more`;
  if (minBranches === maxBranches) return pluralize(minBranches, 'branch', 'branches');
  return `${minBranches} to ${pluralize(maxBranches, 'branch', 'branches')}`;
}

/** `“physics”, 3 Years, with branches`. */
export function describeFilter(search: ProgramsSearch): string {
  const { q, inBranches, duration, branches, minBranches, maxBranches, since } = search;
  const parts = [
    q !== undefined && (inBranches ? `“${q}”, also in the names of branches` : `“${q}”`),
    duration,
    branches !== undefined && `${branches} branches`,
    (minBranches !== undefined || maxBranches !== undefined) && describeBranches(search).toLowerCase(),
    since !== undefined && `changed since ${formatDay(since)} ${since.slice(0, 4)}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(', ');
}

const matchesShown = 3;

/** `Branch: Optics`, `Branches: Optics, Lasers, Photonics and more`. */
export function describeMatches(names: readonly string[]): string {
  const shown = names.slice(0, matchesShown).join(', ');
  return `${names.length === 1 ? 'Branch' : 'Branches'}: ${shown}${names.length > matchesShown ? ' and more' : ''}`;
}
