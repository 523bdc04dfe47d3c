import * as z from 'zod/mini';
import { yearsMax } from '../branch/year-codes.ts';
import { optional, type SearchOf, understood, words } from '../search-parameters.ts';
import type { BranchFilter } from './documents.generated.ts';

const branchesSearch = z.object({
  /** Words in the name. */
  q: words,
  years: optional(z.int().check(z.gte(1), z.lte(yearsMax))),
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

/** Reads the state of the list from a URL; what is not understood is left out. */
export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  understood(branchesSearch.parse(search));

/** The state as the service takes it. */
export const branchFilterOf = ({ q, years }: BranchesSearch): BranchFilter => ({
  ...(q !== undefined && { search: q }),
  ...(years !== undefined && { years }),
});
