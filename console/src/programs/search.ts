import * as z from 'zod/mini';
import { pluralize } from '../format/text.ts';
import type { ListFilter } from '../list-bar/filters.ts';
import { attributeFilters, commonFilter, describeSearch, idsFilter, listSearch, sinceFilter } from '../lists/search.ts';
import { dropEmpty, ids, idsIn, optional, type SearchOf, text } from '../search-parameters.ts';
import type { ProgramFilter } from './documents.generated.ts';

const branchCount = optional(z.int().check(z.gte(0), z.lte(1_000_000)));

const programsSearch = z.object({
  ...listSearch,
  /** Whether the names of branches are searched too. */
  inBranches: optional(z.boolean()),
  duration: text,
  branches: optional(z.enum(['with', 'without'])),
  /** Of an export: only these branches, and their programs. */
  branchIds: ids,
  minBranches: branchCount,
  maxBranches: branchCount,
});

export type ProgramsSearch = SearchOf<typeof programsSearch>;

export const parseProgramsSearch = (search: Record<string, unknown>): ProgramsSearch =>
  dropEmpty(programsSearch.parse(search));

export function filterOf(search: ProgramsSearch): ProgramFilter {
  const { q, inBranches, duration, branches, minBranches, maxBranches } = search;
  return {
    ...commonFilter(search),
    ...(q !== undefined && inBranches === true && { searchBranches: true }),
    ...(duration !== undefined && { duration }),
    ...(branches !== undefined && { hasBranches: branches === 'with' }),
    ...(minBranches !== undefined && { minBranches }),
    ...(maxBranches !== undefined && { maxBranches }),
  };
}

/** Whether the search finds fewer programs than the catalog has. */
export const isFiltered = (search: ProgramsSearch): boolean =>
  search.branchIds !== undefined || Object.keys(filterOf(search)).length > 0;

/** `3 branches`, `10 branches or more`. */
export function describeBranches({ minBranches = 0, maxBranches }: ProgramsSearch): string {
  if (maxBranches === 0) return 'No branches';
  if (maxBranches === undefined) return `${pluralize(minBranches, 'branch', 'branches')} or more`;
  if (minBranches === maxBranches) return pluralize(minBranches, 'branch', 'branches');
  return `${minBranches} to ${pluralize(maxBranches, 'branch', 'branches')}`;
}

/** The filters of the list, in the order of their menu. */
export const programFilters = (search: ProgramsSearch): readonly ListFilter<ProgramsSearch>[] => [
  { id: 'duration', name: 'Duration', chosen: ({ duration }) => duration, none: { duration: undefined } },
  {
    id: 'branches',
    name: 'Branches',
    chosen: ({ branches, minBranches, maxBranches }) => {
      if (minBranches !== undefined || maxBranches !== undefined) return describeBranches({ minBranches, maxBranches });
      return branches && { with: 'some', without: 'none' }[branches];
    },
    none: { branches: undefined, minBranches: undefined, maxBranches: undefined },
  },
  sinceFilter,
  ...attributeFilters(search),
  {
    id: 'inBranches',
    name: 'Search also in',
    chosen: ({ inBranches }) => (inBranches === true ? 'branches' : undefined),
    none: { inBranches: undefined },
    only: { inBranches: true },
  },
  idsFilter('program', 'programs'),
];

/** `“physics”, Duration: 3 Years, Branches: some`. */
export const describeFilter = (search: ProgramsSearch): string => describeSearch(programFilters(search), search);

/** `12 selected branches`. */
export const describeBranchIds = (list: string): string =>
  pluralize(idsIn(list).length, 'selected branch', 'selected branches');
