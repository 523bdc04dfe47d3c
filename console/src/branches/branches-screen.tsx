import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useClient, useQuery } from 'urql';
import {
  BranchCountDocument,
  BranchesDocument,
  type BranchesQuery,
  BranchIdsDocument,
} from '../branch/documents.generated.ts';
import { NewBranch } from '../branch/new-branch.tsx';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import { focusAfter } from '../components/focus.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
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
import { ScreenHead } from '../shell/screen-head.tsx';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { branchColumns } from './columns.tsx';
import {
  type BranchesSearch,
  branchesSortedBy,
  branchFilterOf,
  branchFilters,
  branchOrderOf,
  describeBranchFilter,
  parseBranchesSearch,
} from './search.ts';

const route = getRouteApi('/branches');
const pageSize = 100;
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;

/** Every user may read and create branches. */
export function BranchesScreen() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/branches' });
  const client = useClient();
  const { canRead, canWrite, canCreateBranches } = useRights();
  const filter = useMemo(() => branchFilterOf(search), [search]);
  const orderBy = branchOrderOf(search);
  const [count, recount] = useQuery({ query: BranchCountDocument, variables: { filter } });
  const list = usePageList(BranchesDocument, { filter, orderBy, first: pageSize, withProgram: canRead }, connectionIn);
  const total = count.data?.branchesConnection.totalCount;
  const change = useCallback(
    (changes: BranchesSearch, replace = false): void => {
      void navigate({ search: (previous) => ({ ...previous, ...changes }), replace });
    },
    [navigate],
  );
  const all = useMemo(
    () => branchColumns({ search: search.q, hasProgram: canRead, isOrdered: true }),
    [search.q, canRead],
  );
  const columns = useColumns('branches', all, search.columns, (named) => change({ columns: named }, true));
  const selection = useSelection(list.items, JSON.stringify(filter));
  const reload = (): void => {
    list.reload();
    recount({ requestPolicy: 'network-only' });
  };
  useRestoredScroll(list);
  const changed = useListChanges(list.pageCount <= 1, reload);
  const loadMatching = (max: number) =>
    loadIds(async (after) => {
      const variables = { filter, orderBy, after };
      const { data } = await client.query(BranchIdsDocument, variables, { requestPolicy: 'network-only' });
      return data?.branchesConnection;
    }, max);
  const searched = list.items.map(({ name, code }) => `${name} ${code ?? ''}`);
  return (
    <>
      <ScreenHead at="/branches" />
      <ListBar
        search={search}
        placeholder="Name or code of a branch"
        text={search.q}
        filters={branchFilters}
        loadEditors={() => import('./filter-editors.tsx')}
        change={change}
        changeText={(q) => change({ q }, true)}
        clear={() => void navigate({ search: ({ columns: kept }) => ({ columns: kept }) })}
      >
        <ListCount total={total} count={count} isPrevious={list.isPrevious} one="branch" many="branches" />
        <ListTools
          list="branches"
          search={search}
          open={(view) => void navigate({ search: parseBranchesSearch(view) })}
          columns={all}
          {...columns}
          pages={list}
        />
      </ListBar>
      <PrintTitle text={describeBranchFilter(search)} />
      {canCreateBranches && !canRead && <AddBranch />}
      {changed.isBehind && (
        <Button className="button" onPress={changed.show}>
          Show the list as it is now
        </Button>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      {search.q !== undefined && !list.isPrevious && isSimilar(search.q, searched) && <Similar search={search.q} />}
      {list.items.length > 0 && (
        <Table
          label="Branches"
          list={list}
          columns={columns.shown}
          total={total}
          kind="BRANCH"
          order={orderBy}
          onOrder={(order) => change(branchesSortedBy(order))}
          {...(canWrite && { selection })}
        />
      )}
      {list.items.length === 0 && !list.isLoading && list.error === undefined && (
        <NoBranches isFiltered={Object.keys(filter).length > 0} />
      )}
      <SelectionBar
        selection={selection}
        loaded={list.items.length}
        total={total}
        loadIds={loadMatching}
        one="branch"
        many="branches"
      >
        <BulkActions
          kind="BRANCH"
          selection={selection}
          items={list.items}
          actions={['change', 'move', 'delete']}
          changed={reload}
        />
      </SelectionBar>
    </>
  );
}

function NoBranches({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title={isFiltered ? 'No branch matches' : 'There are no branches yet'}>
      <p>{isFiltered ? 'Try fewer words, or drop a filter.' : 'Add one on the page of its program.'}</p>
    </EmptyState>
  );
}

/** For callers with the permission to create branches, and without that to read programs. */
function AddBranch() {
  const [isAdding, setIsAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  if (isAdding) return <NewBranch programId={null} close={() => focusAfter(() => setIsAdding(false), addButton)} />;
  return (
    <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
      Add branch by the number of its program
    </Button>
  );
}
