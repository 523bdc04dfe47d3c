import { getRouteApi, lazyRouteComponent } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { branchColumns } from '../branch/branch-columns.tsx';
import { BranchCountDocument, BranchesDocument, type BranchesQuery } from '../branch/documents.generated.ts';
import { EmptyState } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { loadable } from '../components/screen-error.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { t } from '../language/language.ts';
import { RecordList } from '../list-bar/record-list.tsx';
import { orderOf } from '../lists/search.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRights } from '../session/viewer.tsx';
import { branchFilters } from './filters.ts';
import { type BranchesSearch, branchFilterOf, parseBranchesSearch } from './search.ts';

const route = getRouteApi('/branches');
const pageSize = 100;
const Branch = lazyRouteComponent(loadable(async () => (await import('./branch-screen.tsx')).BranchById));
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;
const searchedText = ({ name, code }: { readonly name: string; readonly code: string | null }) =>
  `${name} ${code ?? ''}`;

/**
 * Every user may read branches. Guests may create some too, by the API: they see no program, and so no place for one.
 */
export function BranchesScreen() {
  const search: BranchesSearch = route.useSearch();
  const { canRead } = useRights();
  const filter = useMemo(() => branchFilterOf(search), [search]);
  const [count] = useQuery({ query: BranchCountDocument, variables: { filter } });
  const variables = { filter, ...orderOf(search), first: pageSize, withProgram: canRead };
  const list = usePageList(BranchesDocument, variables, connectionIn);
  const definitions = useDefinitions('BRANCH');
  const columns = useMemo(() => branchColumns(search.q, canRead), [search.q, canRead]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageTitle text={t('common.many', { kind: 'BRANCH' })} />
      <RecordList
        kind="BRANCH"
        View={Branch}
        placeholder={t('branches.placeholder')}
        search={search}
        filters={branchFilters(search, definitions, canRead)}
        parse={parseBranchesSearch}
        list={list}
        total={count.data?.branchesConnection.totalCount}
        count={count}
        columns={columns}
        searched={searchedText}
        empty={
          <EmptyState
            title={t(isFiltered ? 'branches.noMatch' : 'branches.noBranches')}
            about={t(isFiltered ? 'common.fewerWords' : 'branches.addThere')}
            ways={[
              isFiltered && { to: '/branches', text: t('common.allBranches') },
              !isFiltered && canRead && { to: '/programs', text: t('branches.chooseProgram') },
              search.q !== undefined && {
                to: '/branches',
                search: { yearCode: search.q },
                text: t('branches.lookInYears'),
              },
            ]}
          />
        }
      />
    </>
  );
}
