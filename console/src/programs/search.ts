import * as z from 'zod/mini';
import { commonFilter, listSearch } from '../lists/search.ts';
import type { ProgramFilter } from '../program/documents.generated.ts';
import { dropEmpty, ids, optional, type SearchOf, text, withOrWithout } from '../search-parameters.ts';

const programsSearch = z.object({
  ...listSearch,
  /** Whether the names of branches are searched too. */
  inBranches: optional(z.boolean()),
  duration: text,
  branches: withOrWithout,
  /** How many: `3`, `2-5`, `4-`. */
  branchCount: optional(
    z.pipe(z.union([z.string(), z.number()]), z.transform(String)).check(z.regex(/^\d{1,5}(-\d{0,5})?$/)),
  ),
  /** Limits an export to these branches and their programs. */
  branchIds: ids,
});

export type ProgramsSearch = SearchOf<typeof programsSearch>;

export const parseProgramsSearch = (search: Record<string, unknown>): ProgramsSearch =>
  dropEmpty(programsSearch.parse(search));

export function filterOf(search: ProgramsSearch): ProgramFilter {
  const { q, inBranches, duration, branches, branchCount } = search;
  const [least, most = least] = branchCount?.split('-') ?? [];
  return {
    ...commonFilter(search),
    ...(q !== undefined && inBranches === true && { searchBranches: true }),
    ...(duration !== undefined && { duration }),
    ...(branches !== undefined && { hasBranches: branches === 'with' }),
    ...(least !== undefined && { minBranches: Number(least) }),
    ...(most !== undefined && most !== '' && { maxBranches: Number(most) }),
  };
}

/** Whether the search finds fewer programs than the catalog has. */
export const isFiltered = (search: ProgramsSearch): boolean =>
  search.branchIds !== undefined || Object.keys(filterOf(search)).length > 0;

let last: ProgramsSearch = {};

/** Remembers the last filter of the list of programs. */
export function rememberSearch(search: ProgramsSearch): void {
  last = search;
}

/** The parameters of a link back to that list. */
export const lastSearch = (): ProgramsSearch => last;
