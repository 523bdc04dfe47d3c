import * as z from 'zod/mini';
import type { BranchFilter } from '../branch/documents.generated.ts';
import { type Condition, condition, conditionsBy, numbersCondition, numbersIn } from '../lists/condition.ts';
import { filterBy, listSearch, sortBy } from '../lists/search.ts';
import { dropEmpty, type SearchOf } from '../search-parameters.ts';

const branchesSearch = z.object({
  ...listSearch,
  sort: sortBy(['PROGRAM', 'YEARS', 'YEAR_CODES', 'DESCRIPTION']),
  years: numbersCondition,
  yearCode: condition,
  description: condition,
});

export type BranchesSearch = SearchOf<typeof branchesSearch>;

export const parseBranchesSearch = (search: Record<string, unknown>): BranchesSearch =>
  dropEmpty(branchesSearch.parse(search));

const conditions = {
  years: (numbers: Condition) => {
    const { least, most } = numbersIn(numbers);
    return {
      yearCounts: numbers.is?.filter((text) => /^\d{1,2}$/.test(text)).map(Number),
      minYears: least,
      maxYears: most,
    };
  },
  yearCode: ({ is }: Condition) => ({ yearCodes: is }),
  description: ({ has }: Condition) => ({ hasDescription: has }),
};

export const branchFilterOf = (search: BranchesSearch): BranchFilter =>
  filterBy(search, conditionsBy(conditions, search));
