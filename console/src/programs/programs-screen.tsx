import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import { useClient, useQuery } from 'urql';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import { ErrorNotice } from '../components/notices.tsx';
import { ListBar } from '../lists/list-bar.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { ListTools, PrintTitle } from '../lists/list-tools.tsx';
import { loadIds } from '../lists/load-ids.ts';
import { isSimilar, Similar } from '../lists/matches.tsx';
import { SelectionBar } from '../lists/selection-bar.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { programColumns, searchedText } from './columns.tsx';
import {
  ProgramCountDocument,
  ProgramIdsDocument,
  ProgramsDocument,
  type ProgramsQuery,
} from './documents.generated.ts';
import { rememberSearch } from './last-search.ts';
import { NoPrograms } from './no-programs.tsx';
import {
  describeFilter,
  filterOf,
  orderOf,
  type ProgramsSearch,
  parseProgramsSearch,
  programFilters,
  sortedBy,
} from './search.ts';

const route = getRouteApi('/programs');
const pageSize = 100;

export function ProgramsScreen() {
  const { canRead } = useRights();
  return canRead ? <Programs /> : <NotOffered what="see programs" right="PROGRAMS_READ" />;
}

function Programs() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/programs' });
  const client = useClient();
  const { canWrite } = useRights();
  const filter = useMemo(() => filterOf(search), [search]);
  const [count, recount] = useQuery({ query: ProgramCountDocument, variables: { filter } });
  const list = usePageList(ProgramsDocument, variablesOf(search), connectionIn);
  const total = count.data?.programsConnection.totalCount;
  const change = useCallback(
    (changes: ProgramsSearch, replace = false): void => {
      void navigate({ search: (previous) => ({ ...previous, ...changes }), replace });
    },
    [navigate],
  );
  const all = useMemo(() => programColumns(search.q), [search.q]);
  const columns = useColumns('programs', all, search.columns, (named) => change({ columns: named }, true));
  const selection = useSelection(list.items, JSON.stringify(filter));
  useRestoredScroll(list);
  useEffect(() => rememberSearch(search), [search]);
  const reload = (): void => {
    list.reload();
    recount({ requestPolicy: 'network-only' });
  };
  const changed = useListChanges(list.pageCount <= 1, reload);
  const loadMatching = (max: number) =>
    loadIds(async (after) => {
      const variables = { filter, orderBy: orderOf(search), after };
      const { data } = await client.query(ProgramIdsDocument, variables, { requestPolicy: 'network-only' });
      return data?.programsConnection;
    }, max);
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
      <ListBar
        search={search}
        placeholder="Name or code"
        text={search.q}
        filters={programFilters}
        loadEditors={() => import('./filter-editors.tsx')}
        change={change}
        changeText={(q) => change({ q }, true)}
        clear={() => void navigate({ search: ({ columns }) => ({ columns }) })}
      >
        <ListCount total={total} count={count} isPrevious={list.isPrevious} one="program" />
        <ListTools
          list="programs"
          search={search}
          open={(view) => void navigate({ search: parseProgramsSearch(view) })}
          columns={all}
          {...columns}
          pages={list}
        />
      </ListBar>
      <PrintTitle text={describeFilter(search)} />
      {changed.isBehind && (
        <div role="status" className="notice warn">
          <p>Programs were created, deleted or loaded since you opened this list.</p>
          <Button className="button" onPress={changed.show}>
            Show the list as it is now
          </Button>
        </div>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      {search.q !== undefined && !list.isPrevious && isSimilar(search.q, list.items.map(searchedText)) && (
        <Similar search={search.q} />
      )}
      {list.items.length > 0 && (
        <Table
          label="Programs"
          list={list}
          columns={columns.shown}
          total={total}
          kind="PROGRAM"
          order={orderOf(search)}
          onOrder={(order) => change(sortedBy(order))}
          {...(canWrite && { selection })}
        />
      )}
      {list.items.length === 0 && !list.isLoading && list.error === undefined && <NoPrograms search={search} />}
      <SelectionBar
        selection={selection}
        loaded={list.items.length}
        total={total}
        loadIds={loadMatching}
        one="program"
        many="programs"
      >
        <BulkActions
          kind="PROGRAM"
          selection={selection}
          items={list.items}
          actions={['change', 'delete']}
          changed={reload}
        >
          <Link to="/transfer" search={{ ids: [...selection.ids].join(',') }} className="button quiet">
            Export
          </Link>
        </BulkActions>
      </SelectionBar>
    </>
  );
}

function variablesOf(search: ProgramsSearch) {
  const filter = filterOf(search);
  return { filter, orderBy: orderOf(search), first: pageSize, withMatches: filter.searchBranches === true };
}

const connectionIn = ({ programsConnection }: ProgramsQuery) => programsConnection;
