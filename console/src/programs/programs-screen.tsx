import { getRouteApi, Link, lazyRouteComponent } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { PageTitle } from '../components/page-title.tsx';
import { loadable } from '../components/screen-error.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { attributePrefix } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import { RecordList } from '../list-bar/record-list.tsx';
import { chosenColumns } from '../list-bar/saved-views.ts';
import { orderOf } from '../lists/search.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { ProgramCountDocument, ProgramsDocument, type ProgramsQuery } from '../program/documents.generated.ts';
import { programColumns, searchedText } from '../program/program-columns.tsx';
import { useRights } from '../session/viewer.tsx';
import { BranchAnswers } from './branch-answers.tsx';
import { programFilters } from './filters.ts';
import { NoPrograms } from './no-programs.tsx';
import { filterOf, type ProgramsSearch, parseProgramsSearch, rememberSearch } from './search.ts';

const route = getRouteApi('/programs');
const pageSize = 100;
const Program = lazyRouteComponent(loadable(async () => (await import('./program-screen.tsx')).Program));

export function ProgramsScreen() {
  const search: ProgramsSearch = route.useSearch();
  const { canWrite } = useRights();
  const filter = useMemo(() => filterOf(search), [search]);
  const [count] = useQuery({ query: ProgramCountDocument, variables: { filter } });
  const withMatches = filter.searchBranches === true;
  const withAttributes = chosenColumns('programs', search)?.includes(attributePrefix) === true;
  const variables = { filter, ...orderOf(search), first: pageSize, withMatches, withAttributes };
  const list = usePageList(ProgramsDocument, variables, connectionIn);
  const total = count.data?.programsConnection.totalCount;
  useEffect(() => rememberSearch({ ...search, beside: undefined }), [search]);
  const definitions = useDefinitions('PROGRAM');
  const columns = useMemo(() => programColumns(search.q), [search.q]);
  return (
    <>
      <div className="page-head">
        <PageTitle text={t('common.many', { kind: 'PROGRAM' })} />
        <div className="actions">
          {total !== 0 && (
            <Link to="/transfer" search={search} className="button">
              {t('programs.exportThese')}
            </Link>
          )}
          {canWrite && (
            <Link to="/programs/new" className="button primary">
              {t('shell.newProgram')}
            </Link>
          )}
        </div>
      </div>
      <RecordList
        kind="PROGRAM"
        View={Program}
        placeholder={t('common.nameOrCode')}
        search={search}
        filters={programFilters(search, definitions)}
        parse={parseProgramsSearch}
        list={list}
        total={total}
        count={count}
        columns={columns}
        answers={search.q !== undefined && !withMatches && <BranchAnswers search={search.q} />}
        searched={searchedText}
        empty={<NoPrograms search={search} />}
      />
    </>
  );
}

const connectionIn = ({ programsConnection }: ProgramsQuery) => programsConnection;
