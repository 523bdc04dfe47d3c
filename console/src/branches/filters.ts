import { numbersOfYears } from '../branch/branch-fields.tsx';
import { t } from '../language/language.ts';
import {
  attributeFilters,
  choiceFilter,
  dayFilter,
  idsFilter,
  textFilter,
  withOrWithout,
} from '../list-bar/filters.ts';
import type { ListFilter } from '../list-bar/list-filter.ts';
import type { BranchesSearch } from './search.ts';

const filters = [
  choiceFilter('years', t('field.years'), numbersOfYears),
  textFilter('yearCode', t('branches.codeOfYear')),
  choiceFilter('code', t('field.code'), withOrWithout),
  choiceFilter('description', t('field.description'), withOrWithout),
  dayFilter('since', t('listBar.changedSince')),
  dayFilter('createdSince', t('listBar.createdSince')),
];
// Those in use are statistics of the catalog, which guests may not read.
const readersFilters = [attributeFilters('BRANCH')];

/** The filters of the list, in the order of their menu. */
export const branchFilters = (search: BranchesSearch, canRead: boolean): readonly ListFilter[] =>
  [...filters, ...(canRead ? readersFilters : []), idsFilter('BRANCH')].flatMap((filter) => filter(search));
