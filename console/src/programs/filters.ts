import { useDurations } from '../fields/used-values.ts';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
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
  choiceFilter('duration', t('field.duration'), useDurationOptions),
  choiceFilter('branches', t('field.branches'), withOrWithout),
  textFilter('branchCount', t('programs.branchCount'), t('programs.branchCountHint')),
  choiceFilter('code', t('field.code'), withOrWithout),
  dayFilter('since', t('listBar.changedSince')),
  dayFilter('createdSince', t('listBar.createdSince')),
  attributeFilters('PROGRAM'),
  fixedFilter('inBranches', t('programs.searchAlso'), t('programs.inBranches'), true),
  idsFilter('PROGRAM'),
];

/** The filters of the list, in the order of their menu. */
export const programFilters = (search: ProgramsSearch): readonly ListFilter[] =>
  filters.flatMap((filter) => filter(search));

/** `“physics”, Duration: 3 Years, Branches: Some`. */
export const describeFilter = (search: ProgramsSearch): string => describeFilters(programFilters(search), search);

/** `12 selected branches`. */
export const describeBranchIds = (list: string): string =>
  t('listBar.selected', { kind: 'BRANCH', count: idsIn(list).length });
