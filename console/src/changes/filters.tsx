import { useQuery } from 'urql';
import { actorOptions } from '../audit/filters.ts';
import { ChooseProgram } from '../bulk/choose-program.tsx';
import { ColleaguesDocument } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { changeFilter, choiceFilter, dayFilter, filterBy } from '../list-bar/filters.ts';
import type { EditorProps, ListFilter, Search } from '../lists/list-filter.ts';
import { actions, type ChangesSearch, kinds } from './search.ts';

export function useActors(chosen: string | undefined) {
  const [{ data }] = useQuery({ query: ColleaguesDocument, requestPolicy: 'cache-first' });
  const names = data?.colleagues.map(({ name }) => name);
  return names && actorOptions(names, chosen);
}

const ProgramEditor = ({ filter: { put }, choose }: EditorProps) => <ChooseProgram choose={(id) => choose(put(id))} />;

export const programFilter = (search: Search): ListFilter =>
  filterBy(search, { id: 'program', name: t('field.program'), Editor: ProgramEditor });

const filters = [
  dayFilter('since', t('audit.from')),
  dayFilter('until', t('audit.to')),
  choiceFilter('actor', t('field.by'), useActors),
  choiceFilter('action', t('audit.was'), actions),
  choiceFilter('kind', t('changes.kind'), kinds),
  programFilter,
  changeFilter,
];

export const changesFilters = (search: ChangesSearch): readonly ListFilter[] => filters.map((filter) => filter(search));
