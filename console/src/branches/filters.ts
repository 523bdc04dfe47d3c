import { numbersOfYears } from '../branch/branch-fields.tsx';
import { t } from '../language/language.ts';
import { attributeFilters, codeFilter, conditionFilter, dayRangeFilter, idsFilter } from '../list-bar/filters.ts';
import type { ListFilter } from '../list-bar/list-filter.ts';
import type { BranchesSearch } from './search.ts';

const filters = [
  conditionFilter({
    id: 'years',
    name: t('field.years'),
    modes: ['is', 'isNot', 'range'],
    range: 'numbers',
    useOptions: () => numbersOfYears,
  }),
  conditionFilter({ id: 'yearCode', name: t('branches.codeOfYear'), modes: ['is', 'isNot'] }),
  codeFilter(),
  conditionFilter({ id: 'description', name: t('field.description'), modes: ['isEmpty', 'isFilled'] }),
  dayRangeFilter('changed', t('field.changed')),
  dayRangeFilter('created', t('field.created')),
];
// Those in use are statistics of the catalog, which guests may not read.
const readersFilters = [attributeFilters('BRANCH')];

export const branchFilters = (search: BranchesSearch, canRead: boolean): readonly ListFilter[] =>
  [...filters, ...(canRead ? readersFilters : []), idsFilter('BRANCH')].flatMap((filter) => filter(search));
