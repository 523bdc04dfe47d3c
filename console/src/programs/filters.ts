import type { Definition } from '../fields/definitions.ts';
import { countedOption, useDurations } from '../fields/used-values.ts';
import { t } from '../language/language.ts';
import { conditionFilter, describeFilters, fixedFilter, recordFilters } from '../list-bar/filters.ts';
import { idsIn } from '../search-parameters.ts';
import type { ProgramsSearch } from './search.ts';

export const programFilters = recordFilters('PROGRAM', [
  conditionFilter({
    id: 'duration',
    name: t('field.duration'),
    modes: ['is', 'isNot'],
    useOptions: () => useDurations()?.map(countedOption),
  }),
  conditionFilter({ id: 'branches', name: t('programs.branchCount'), modes: ['range'], range: 'numbers' }),
  fixedFilter('inBranches', t('programs.inBranches')),
]);

/** `“physics”, Duration is 3 Years, Code is empty`. */
export const describeFilter = (search: ProgramsSearch, definitions: readonly Definition[] = []): string =>
  describeFilters(programFilters(search, definitions), search);

/** `12 selected branches`. */
export const describeBranchIds = (list: string): string =>
  t('listBar.selected', { kind: 'BRANCH', count: idsIn(list).length });
