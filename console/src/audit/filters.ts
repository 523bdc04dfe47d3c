import { useQuery } from 'urql';
import { UserNamesDocument } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { changeFilter, choiceFilter, dayFilter, fixedFilter } from '../list-bar/filters.ts';
import type { ListFilter } from '../lists/list-filter.ts';
import { type AuditSearch, actions, subjects } from './search.ts';

/** Actors without a user: the command line and the start of the service. */
const otherActors = ['cli', 'start'];

/** The users, and an actor that is none of them any more, such as a deleted user or a token. */
export function actorOptions(users: readonly string[], chosen = '') {
  const names = [...new Set([...users, ...otherActors, ...(chosen === '' ? [] : [chosen])])];
  return names.map((value) => ({ value, text: value }));
}

function useActors(chosen: string | undefined) {
  const [{ data }] = useQuery({ query: UserNamesDocument });
  const names = data?.users.map(({ name }) => name);
  return names && actorOptions(names, chosen);
}

const filters = [
  choiceFilter('actor', t('field.by'), useActors),
  choiceFilter('subject', t('audit.what'), subjects),
  choiceFilter('action', t('audit.was'), actions),
  dayFilter('since', t('audit.from')),
  dayFilter('until', t('audit.to')),
  fixedFilter('utc', t('audit.inUtc')),
  changeFilter,
];

export const auditFilters = (search: AuditSearch): readonly ListFilter[] => filters.map((filter) => filter(search));
