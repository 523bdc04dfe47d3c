import * as z from 'zod/mini';
import { yearsMax } from '../branch/year-codes.ts';
import { dropEmpty, optional, type SearchOf, text } from '../search-parameters.ts';
import type { BranchFilter } from './documents.generated.ts';

const branchesSearch = z.object({
  /** Words in the name. */
  q: text,
  years: optional(z.int().check(z.gte(1), z.lte(yearsMax))),
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

/** Reads the state of the list from a URL; what is not dropEmpty is left out. */
export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

/** The state as the service takes it. */
export const branchFilterOf = ({ q, years }: BranchesSearch): BranchFilter => ({
  ...(q !== undefined && { search: q }),
  ...(years !== undefined && { years }),
});
