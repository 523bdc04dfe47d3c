import * as z from 'zod/mini';
import type { BranchFilter } from '../branch/documents.generated.ts';
import { yearsMax } from '../branch/year-codes.ts';
import { dropEmpty, optional, type SearchOf, text } from '../search-parameters.ts';

const branchesSearch = z.object({
  q: text,
  years: optional(z.int().check(z.gte(1), z.lte(yearsMax))),
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

export const branchFilterOf = ({ q, years }: BranchesSearch): BranchFilter => ({
  ...(q !== undefined && { search: q }),
  ...(years !== undefined && { years }),
});
