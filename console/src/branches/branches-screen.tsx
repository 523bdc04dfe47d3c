import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { BranchSummary, numbersOfYears } from '../branch/branch-fields.tsx';
import { BranchCountDocument, BranchesDocument, type BranchesQuery } from '../branch/documents.generated.ts';
import { NewBranch } from '../branch/new-branch.tsx';
import { focusAfter } from '../components/focus.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { Select } from '../components/select.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { SearchText } from '../lists/search-text.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { type BranchesSearch, branchFilterOf } from './search.ts';
import '../branch/branch.css';
import { ScreenHead } from '../shell/screen-head.tsx';

const route = getRouteApi('/branches');
const pageSize = 50;
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;

/** Every user may read and create branches. */
export function BranchesScreen() {
  const search = route.useSearch();
  const { q, years } = search;
  const navigate = useNavigate({ from: '/branches' });
  const { canRead, canCreateBranches } = useRights();
  const isFiltered = q !== undefined || years !== undefined;
  const filter = branchFilterOf(search);
  const [count, recount] = useQuery({
    query: BranchCountDocument,
    variables: { filter },
  });
  const variables = { filter, first: pageSize, withProgram: canRead };
  const list = usePageList(BranchesDocument, variables, connectionIn);
  const change = (changes: BranchesSearch, replace = false): void => {
    void navigate({ search: (previous) => ({ ...previous, ...changes }), replace });
  };
  const reload = (): void => {
    list.reload();
    recount({ requestPolicy: 'network-only' });
  };
  useRestoredScroll(list);
  const changed = useListChanges(list.pageCount <= 1, reload);
  const total = count.data?.branchesConnection.totalCount;
  return (
    <>
      <ScreenHead at="/branches" />
      <search className="filters two">
        <SearchText
          placeholder="Name or code of a branch"
          value={q ?? ''}
          onChange={(text) => change({ q: text === '' ? undefined : text }, true)}
        />
        <Select
          label="Years"
          value={years === undefined ? '' : String(years)}
          options={[{ value: '', text: 'Any number' }, ...numbersOfYears]}
          onChange={(value) => change({ years: value === '' ? undefined : Number(value) })}
        />
      </search>
      <ListCount total={total} count={count} isPrevious={list.isPrevious} one="branch" many="branches" />
      {canCreateBranches && !canRead && <AddBranch />}
      {changed.isBehind && (
        <Button className="button" onPress={changed.show}>
          Show the list as it is now
        </Button>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      {list.items.length > 0 ? (
        <ul className="records" aria-busy={list.isPrevious}>
          {list.items.map((branch) => (
            <Branch key={branch.id} branch={branch} />
          ))}
        </ul>
      ) : (
        !list.isLoading &&
        list.error === undefined && (
          <EmptyState title={isFiltered ? 'No branch matches' : 'There are no branches yet'}>
            <p>{isFiltered ? 'Try fewer words, or any number of years.' : 'Add one on the page of its program.'}</p>
          </EmptyState>
        )
      )}
      {list.hasNext && (
        <Button className="button" isPending={list.isLoading} onPress={list.loadMore}>
          Show more branches
        </Button>
      )}
    </>
  );
}

type Branch = BranchesQuery['branchesConnection']['nodes'][number];

function Branch({ branch }: { readonly branch: Branch }) {
  const { id, name, program } = branch;
  const isChanged = useIsChanged('BRANCH', id);
  return (
    <li className={isChanged ? 'card changed' : 'card'}>
      <h2 className="name-text minor">
        <Link to="/branches/$branchId" params={{ branchId: id }} className="record-link">
          {name}
        </Link>
      </h2>
      {program !== undefined && (
        <Link to="/programs/$programId" params={{ programId: program.id }} className="name-text of">
          {program.name}
        </Link>
      )}
      <BranchSummary branch={branch} />
    </li>
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
