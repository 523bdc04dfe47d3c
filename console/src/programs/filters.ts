import { countedOption, useDurations } from '../fields/used-values.ts';
import { t } from '../language/language.ts';
import {
  attributeFilters,
  codeFilter,
  conditionFilter,
  dayRangeFilter,
  describeFilters,
  fixedFilter,
  idsFilter,
} from '../list-bar/filters.ts';
import type { ListFilter } from '../list-bar/list-filter.ts';
import { idsIn } from '../search-parameters.ts';
import type { ProgramsSearch } from './search.ts';

const filters = [
  conditionFilter({
    id: 'duration',
    name: t('field.duration'),
    modes: ['is', 'isNot'],
    useOptions: () => useDurations()?.map(countedOption),
  }),
  conditionFilter({ id: 'branches', name: t('programs.branchCount'), modes: ['range'], range: 'numbers' }),
  codeFilter(),
  dayRangeFilter('changed', t('field.changed')),
  dayRangeFilter('created', t('field.created')),
  attributeFilters('PROGRAM'),
  fixedFilter('inBranches', t('programs.searchAlso'), t('programs.inBranches'), true),
  idsFilter('PROGRAM'),
];

export const programFilters = (search: ProgramsSearch): readonly ListFilter[] =>
  filters.flatMap((filter) => filter(search));

/** `“physics”, Duration is 3 Years, Code is empty`. */
export const describeFilter = (search: ProgramsSearch): string => describeFilters(programFilters(search), search);

/** `12 selected branches`. */
export const describeBranchIds = (list: string): string =>
  t('listBar.selected', { kind: 'BRANCH', count: idsIn(list).length });
