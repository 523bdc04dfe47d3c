import * as z from 'zod/mini';
import { type Condition, condition, conditionsBy, numbersCondition, numbersIn } from '../lists/condition.ts';
import { filterBy, listSearch, sortBy } from '../lists/search.ts';
import type { ProgramFilter } from '../program/documents.generated.ts';
import { dropEmpty, ids, optional, type SearchOf } from '../search-parameters.ts';

const programsSearch = z.object({
  ...listSearch,
  sort: sortBy(['DURATION', 'BRANCHES']),
  /** Whether the names of branches are searched too. */
  inBranches: optional(z.boolean()),
  duration: condition,
  /** How many. */
  branches: numbersCondition,
  /** Of an export: only these branches, and their programs. */
  branchIds: ids,
});

export type ProgramsSearch = SearchOf<typeof programsSearch>;

export const parseProgramsSearch = (search: Record<string, unknown>): ProgramsSearch =>
  dropEmpty(programsSearch.parse(search));

const conditions = {
  duration: ({ is }: Condition) => ({ durations: is }),
  branches: (numbers: Condition) => {
    const { least, most } = numbersIn(numbers);
    return { minBranches: least, maxBranches: most };
  },
};

export const filterOf = (search: ProgramsSearch): ProgramFilter => ({
  ...filterBy(search, conditionsBy(conditions, search)),
  ...(search.q !== undefined && search.inBranches === true && { searchBranches: true }),
});

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
