import { useQuery } from 'urql';
import { UserNamesDocument } from '../history/documents.generated.ts';
import { choiceFilter, dayFilter, fixedFilter } from '../list-bar/filters.ts';
import type { ListFilter } from '../list-bar/list-filter.ts';
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
  choiceFilter('actor', 'By', useActors),
  choiceFilter('subject', 'What', subjects),
  choiceFilter('action', 'Was', actions),
  dayFilter('since', 'From'),
  dayFilter('until', 'To'),
  fixedFilter('utc', 'Days', 'in UTC', true),
  fixedFilter('change', 'Only', 'one change'),
];

/** The filters of the log, in the order of their menu. */
export const auditFilters = (search: AuditSearch): readonly ListFilter[] => filters.map((filter) => filter(search));
