import { numbersOfYears } from '../branch/branch-fields.tsx';
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
  choiceFilter('years', 'Years', numbersOfYears),
  textFilter('yearCode', 'Code of a year'),
  choiceFilter('code', 'Code', withOrWithout),
  choiceFilter('description', 'Description', withOrWithout),
  dayFilter('since', 'Changed since'),
  dayFilter('createdSince', 'Created since'),
];
// Those in use are statistics of the catalog, which guests may not read.
const readersFilters = [attributeFilters('BRANCH')];

/** The filters of the list, in the order of their menu. */
export const branchFilters = (search: BranchesSearch, canRead: boolean): readonly ListFilter[] =>
  [...filters, ...(canRead ? readersFilters : []), idsFilter('BRANCH')].flatMap((filter) => filter(search));
