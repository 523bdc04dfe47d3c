import { numbersOfYears } from '../branch/branch-fields.tsx';
import { t } from '../language/language.ts';
import { conditionFilter, recordFilters } from '../list-bar/filters.ts';

export const branchFilters = recordFilters('BRANCH', [
  conditionFilter({
    id: 'years',
    name: t('field.years'),
    modes: ['is', 'isNot', 'range'],
    range: 'numbers',
    useOptions: () => numbersOfYears,
  }),
  conditionFilter({ id: 'yearCode', name: t('branches.codeOfYear'), modes: ['is', 'isNot'] }),
  conditionFilter({ id: 'description', name: t('field.description'), modes: ['isEmpty', 'isFilled'] }),
]);
