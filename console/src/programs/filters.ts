import { useDurations } from '../fields/used-values.ts';
import { formatCount, pluralize } from '../format/text.ts';
import {
  attributeFilters,
  choiceFilter,
  dayFilter,
  describeFilters,
  fixedFilter,
  idsFilter,
  textFilter,
  withOrWithout,
} from '../list-bar/filters.ts';
import type { ListFilter } from '../list-bar/list-filter.ts';
import { idsIn } from '../search-parameters.ts';
import type { ProgramsSearch } from './search.ts';

const useDurationOptions = () =>
  useDurations()?.map(({ value, count }) => ({ value, text: `${value} (${formatCount(count)})` }));

const filters = [
  choiceFilter('duration', 'Duration', useDurationOptions),
  choiceFilter('branches', 'Branches', withOrWithout),
  textFilter('branchCount', 'Number of branches', 'Such as 3, 2-5 or 4-.'),
  choiceFilter('code', 'Code', withOrWithout),
  dayFilter('since', 'Changed since'),
  dayFilter('createdSince', 'Created since'),
  attributeFilters('PROGRAM'),
  fixedFilter('inBranches', 'Search also in', 'branches', true),
  idsFilter('PROGRAM'),
];

/** The filters of the list, in the order of their menu. */
export const programFilters = (search: ProgramsSearch): readonly ListFilter[] =>
  filters.flatMap((filter) => filter(search));

/** `“physics”, Duration: 3 Years, Branches: Some`. */
export const describeFilter = (search: ProgramsSearch): string => describeFilters(programFilters(search), search);

/** `12 selected branches`. */
export const describeBranchIds = (list: string): string =>
  pluralize(idsIn(list).length, 'selected branch', 'selected branches');
