import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { ErrorNotice } from '../components/notices.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { ProgramCountDocument, ProgramsDocument, type ProgramsQuery } from './documents.generated.ts';
import { Filters } from './filters.tsx';
import { rememberSearch } from './last-search.ts';
import { NoPrograms } from './no-programs.tsx';
import { ProgramTable } from './program-table.tsx';
import { filterOf, orderOf, type ProgramsSearch } from './search.ts';
import './programs.css';

const route = getRouteApi('/programs');
const pageSize = 100;

export function ProgramsScreen() {
  const { canRead } = useRights();
  return canRead ? <Programs /> : <NotOffered what="see programs" right="PROGRAMS_READ" />;
}

function Programs() {
  const search = route.useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const { canWrite } = useRights();
  const [count, recount] = useQuery({
    query: ProgramCountDocument,
    variables: { filter },
  });
  const list = usePageList(ProgramsDocument, variablesOf(search), connectionIn);
  const total = count.data?.programsConnection.totalCount;
  const hasItems = list.items.length > 0;
  useRestoredScroll(list);
  useEffect(() => rememberSearch(search), [search]);

  const reload = (): void => {
    list.reload();
    recount({ requestPolicy: 'network-only' });
  };
  const changed = useListChanges(list.pageCount <= 1, reload);

  return (
    <>
      <ScreenHead
        at="/programs"
        actions={
          <>
            {total !== 0 && (
              <Link to="/transfer" search={search} className="button">
                Export these
              </Link>
            )}
            {canWrite && (
              <Link to="/programs/new" className="button primary">
                New program
              </Link>
            )}
          </>
        }
      />
      <Filters search={search} />
      <ListCount total={total} count={count} isPrevious={list.isPrevious} one="program" />
      {changed.isBehind && (
        <div role="status" className="notice warn">
          <p>Programs were created, deleted or loaded since you opened this list.</p>
          <Button className="button" onPress={changed.show}>
            Show the list as it is now
          </Button>
        </div>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      {hasItems && <ProgramTable list={list} search={search} {...(total !== undefined && { total })} />}
      {!hasItems && !list.isLoading && list.error === undefined && <NoPrograms search={search} />}
    </>
  );
}

function variablesOf(search: ProgramsSearch) {
  const filter = filterOf(search);
  return { filter, orderBy: orderOf(search), first: pageSize, withMatches: filter.searchBranches === true };
}

const connectionIn = ({ programsConnection }: ProgramsQuery) => programsConnection;
