import { CornerUpRight, Pencil, Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { codeOf } from '../api/errors.ts';
import { branchColumns } from '../branches/columns.tsx';
import { useRemoval } from '../bulk/use-removal.ts';
import { focusAfter } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { columnsOf } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import {
  type BranchFieldsFragment,
  ProgramBranchesDocument,
  type ProgramBranchesQuery,
} from './documents.generated.ts';
import { EditListedBranch } from './edit-listed-branch.tsx';
import { MoveBranch } from './move-branch.tsx';
import { NewBranch } from './new-branch.tsx';

const pageSize = 50;
const connectionIn = ({ program }: ProgramBranchesQuery) => program?.branchesConnection;
const columns = columnsOf(branchColumns({ hasProgram: false, isOrdered: false }), undefined);

interface BranchesOfProgramProps {
  readonly programId: number;
  /** If somebody deletes the program, its last branches stay. */
  readonly isDeleted: boolean;
}

/** What is done with a branch of the list, in a dialog. */
interface Task {
  readonly kind: 'edit' | 'move';
  readonly branch: BranchFieldsFragment;
}

export function BranchesOfProgram({ programId, isDeleted }: BranchesOfProgramProps) {
  const list = usePageList(ProgramBranchesDocument, { id: programId, first: pageSize }, connectionIn);
  useRestoredScroll(list);
  const { canCreateBranches, canWrite } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const [task, setTask] = useState<Task | null>(null);
  const { reload } = list;
  const wasDeleted = useRef(isDeleted);
  useEffect(() => {
    if (wasDeleted.current && !isDeleted) reload();
    wasDeleted.current = isDeleted;
  }, [isDeleted, reload]);
  // The program screen shows this error.
  const error = list.error !== undefined && codeOf(list.error) === 'NOT_FOUND' ? undefined : list.error;
  const addButton = useRef<HTMLButtonElement>(null);
  const actions = useCallback((branch: BranchFieldsFragment) => <Actions branch={branch} begin={setTask} />, []);
  const endTask = (): void => setTask(null);
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
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {list.items.length > 0 && (
        <Table
          label="Branches"
          list={list}
          columns={columns}
          kind="BRANCH"
          actions={canWrite && !isDeleted ? actions : undefined}
        />
      )}
      {list.items.length === 0 && !list.isLoading && list.error === undefined && (
        <p className="hint">This program has no branches yet.</p>
      )}
      {task?.kind === 'edit' && <EditListedBranch id={task.branch.id} programId={programId} close={endTask} />}
      {task?.kind === 'move' && <MoveBranch branch={task.branch} close={endTask} />}
    </section>
  );
}

interface ActionsProps {
  readonly branch: BranchFieldsFragment;
  readonly begin: (task: Task) => void;
}

function Actions({ branch, begin }: ActionsProps) {
  const { name } = branch;
  const { remove } = useRemoval('BRANCH');
  return (
    <>
      <Button className="button quiet" aria-label={`Edit ${name}`} onPress={() => begin({ kind: 'edit', branch })}>
        <Pencil aria-hidden="true" />
      </Button>
      <Button className="button quiet" aria-label={`Move ${name}`} onPress={() => begin({ kind: 'move', branch })}>
        <CornerUpRight aria-hidden="true" />
      </Button>
      <Button className="button quiet" aria-label={`Delete ${name}`} onPress={() => void remove(branch)}>
        <Trash2 aria-hidden="true" />
      </Button>
    </>
  );
}
