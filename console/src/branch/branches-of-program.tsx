import { CornerUpRight, Plus, Trash2 } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { branchColumns } from '../branches/columns.tsx';
import { LazyBulkDialog } from '../bulk/lazy-bulk-dialog.tsx';
import { useRemoval } from '../bulk/use-removal.ts';
import { focusAfter, keepFocus } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { type ListSearch, orderOf, sortedBy } from '../lists/search.ts';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { columnsOf } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { BranchesDocument, type BranchesQuery, type BranchFieldsFragment } from './documents.generated.ts';
import { NewBranch } from './new-branch.tsx';

const pageSize = 50;
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;
const columns = columnsOf(branchColumns({ hasProgram: false }), undefined);

interface BranchesOfProgramProps {
  readonly programId: number;
  readonly isDeleted: boolean;
}

export function BranchesOfProgram({ programId, isDeleted }: BranchesOfProgramProps) {
  const [search, setSearch] = useState<ListSearch>({});
  const order = orderOf(search);
  const variables = { filter: { programId }, orderBy: order, first: pageSize, withProgram: false };
  const list = usePageList(BranchesDocument, variables, connectionIn);
  useRestoredScroll(list);
  useListChanges(true, list.reload);
  const { canCreateBranches, canWrite } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const [moving, setMoving] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const actions = useCallback((branch: BranchFieldsFragment) => <Actions branch={branch} move={setMoving} />, []);
  return (
    <section tabIndex={-1} className="stack" aria-labelledby="branches-title">
      <div className="page-head">
        <h2 id="branches-title">Branches</h2>
        {canCreateBranches && !isAdding && !isDeleted && (
          <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            Add branch
          </Button>
        )}
      </div>
      {isAdding && (
        <NewBranch
          programId={programId}
          years={list.items[0]?.years.length}
          close={() => focusAfter(() => setIsAdding(false), addButton)}
        />
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={list.reload} />}
      {list.items.length > 0 && (
        <Table
          label="Branches"
          list={list}
          columns={columns}
          kind="BRANCH"
          order={order}
          onOrder={(next) => setSearch(sortedBy(next))}
          actions={canWrite && !isDeleted ? actions : undefined}
        />
      )}
      {list.items.length === 0 && !list.isLoading && list.error === undefined && (
        <p className="hint">This program has no branches yet.</p>
      )}
      {moving !== null && (
        <LazyBulkDialog kind="BRANCH" action="move" ids={[moving]} changed={keepFocus} close={() => setMoving(null)} />
      )}
    </section>
  );
}

interface ActionsProps {
  readonly branch: BranchFieldsFragment;
  readonly move: (id: number) => void;
}

/** What is done without opening the branch. */
function Actions({ branch, move }: ActionsProps) {
  const { id, name } = branch;
  const { remove } = useRemoval('BRANCH');
  return (
    <>
      <Button className="button quiet" aria-label={`Move ${name}`} onPress={() => move(id)}>
        <CornerUpRight aria-hidden="true" />
      </Button>
      <Button className="button quiet" aria-label={`Delete ${name}`} onPress={() => void remove(branch)}>
        <Trash2 aria-hidden="true" />
      </Button>
    </>
  );
}
