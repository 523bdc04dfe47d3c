import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { BranchCountDocument, BranchesDocument, type BranchesQuery } from '../branch/documents.generated.ts';
import { NewBranch } from '../branch/new-branch.tsx';
import { focusAfter } from '../components/focus.ts';
import { EmptyState } from '../components/notices.tsx';
import { RecordList } from '../list-bar/record-list.tsx';
import { orderOf } from '../lists/search.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRights } from '../session/viewer.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { branchColumns } from './columns.tsx';
import { branchFilterOf, branchFilters, parseBranchesSearch } from './search.ts';

const route = getRouteApi('/branches');
const pageSize = 100;
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;
const searchedText = ({ name, code }: { readonly name: string; readonly code: string | null }) =>
  `${name} ${code ?? ''}`;

/** Every user may read and create branches. */
export function BranchesScreen() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/branches' });
  const { canRead, canCreateBranches } = useRights();
  const filter = useMemo(() => branchFilterOf(search), [search]);
  const orderBy = orderOf(search);
  const count = useQuery({ query: BranchCountDocument, variables: { filter } });
  const list = usePageList(BranchesDocument, { filter, orderBy, first: pageSize, withProgram: canRead }, connectionIn);
  const columns = useMemo(() => branchColumns({ search: search.q, hasProgram: canRead }), [search.q, canRead]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ScreenHead at="/branches" />
      {canCreateBranches && !canRead && <AddBranch />}
      <RecordList
        kind="BRANCH"
        placeholder="Name or code of a branch"
        search={search}
        filters={branchFilters}
        loadEditors={() => import('./filter-editors.tsx')}
        change={(changes, replace = false) =>
          void navigate({ search: (previous) => ({ ...previous, ...changes }), replace })
        }
        open={(view) => void navigate({ search: parseBranchesSearch(view) })}
        list={list}
        total={count[0].data?.branchesConnection.totalCount}
        count={count}
        columns={columns}
        searched={searchedText}
        actions={['change', 'move', 'delete']}
        empty={
          <EmptyState title={isFiltered ? 'No branch matches' : 'There are no branches yet'}>
            <p>{isFiltered ? 'Try fewer words, or drop a filter.' : 'Add one on the page of its program.'}</p>
          </EmptyState>
        }
      />
    </>
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
