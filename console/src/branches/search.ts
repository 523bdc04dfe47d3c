import * as z from 'zod/mini';
import type { BranchFilter } from '../branch/documents.generated.ts';
import { yearsMax } from '../branch/year-codes.ts';
import { commonFilter, listSearch } from '../lists/search.ts';
import { dropEmpty, optional, type SearchOf, text, withOrWithout } from '../search-parameters.ts';

const branchesSearch = z.object({
  ...listSearch,
  years: optional(z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(yearsMax)))),
  yearCode: text,
  description: withOrWithout,
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

export const branchFilterOf = (search: BranchesSearch): BranchFilter => ({
  ...commonFilter(search),
  ...(search.years !== undefined && { years: search.years }),
  ...(search.description !== undefined && { hasDescription: search.description === 'with' }),
  ...(search.yearCode !== undefined && { yearCodes: [search.yearCode] }),
});
