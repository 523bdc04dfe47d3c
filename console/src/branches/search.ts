import * as z from 'zod/mini';
import type { BranchFilter } from '../branch/documents.generated.ts';
import { yearsMax } from '../branch/year-codes.ts';
import type { ListFilter } from '../list-bar/filters.ts';
import { attributeFilters, commonFilter, idsFilter, listSearch, sinceFilter } from '../lists/search.ts';
import { dropEmpty, optional, type SearchOf, text } from '../search-parameters.ts';

const branchesSearch = z.object({
  ...listSearch,
  years: optional(z.int().check(z.gte(1), z.lte(yearsMax))),
  yearCode: text,
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

export const branchFilterOf = (search: BranchesSearch): BranchFilter => ({
  ...commonFilter(search),
  ...(search.years !== undefined && { years: search.years }),
  ...(search.yearCode !== undefined && { yearCodes: [search.yearCode] }),
});

/** The filters of the list, in the order of their menu. */
export const branchFilters = (search: BranchesSearch, canRead: boolean): readonly ListFilter<BranchesSearch>[] => [
  {
    id: 'years',
    name: 'Years',
    chosen: ({ years }) => (years === undefined ? undefined : String(years)),
    none: { years: undefined },
  },
  { id: 'yearCode', name: 'Code of a year', chosen: ({ yearCode }) => yearCode, none: { yearCode: undefined } },
  sinceFilter,
  // Those in use are statistics of the catalog, which guests may not read.
  ...(canRead ? attributeFilters(search) : []),
  idsFilter('branch', 'branches'),
];
