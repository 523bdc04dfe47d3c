import { Link } from '@tanstack/react-router';
import { CornerUpRight, Pencil, Plus, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { codeOf } from '../api/errors.ts';
import { focusAfter, usePassFocus } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import { LazyDialog } from '../shell/lazy-dialog.tsx';
import {
  type BranchFieldsFragment,
  ProgramBranchesDocument,
  type ProgramBranchesQuery,
} from './documents.generated.ts';
import { EditListedBranch } from './edit-listed-branch.tsx';
import { NewBranch } from './new-branch.tsx';
import { useDeleteBranch } from './use-delete-branch.ts';
import { useEdited } from './use-edited.ts';
import './branch.css';

const pageSize = 50;
const connectionIn = ({ program }: ProgramBranchesQuery) => program?.branchesConnection;

interface BranchesOfProgramProps {
  readonly programId: number;
  /** If somebody deletes the program, its last branches stay, with open forms. */
  readonly isDeleted: boolean;
}

export function BranchesOfProgram({ programId, isDeleted }: BranchesOfProgramProps) {
  const list = usePageList(ProgramBranchesDocument, { id: programId, first: pageSize }, connectionIn);
  useRestoredScroll(list);
  const { canCreateBranches } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const { rows, begin, end } = useEdited(list.items);
  const { reload } = list;
  const wasDeleted = useRef(isDeleted);
  useEffect(() => {
    if (wasDeleted.current && !isDeleted) reload();
    wasDeleted.current = isDeleted;
  }, [isDeleted, reload]);
  // The program screen shows this error.
  const error = list.error !== undefined && codeOf(list.error) === 'NOT_FOUND' ? undefined : list.error;
  const section = useRef<HTMLElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => focusAfter(() => setIsAdding(false), addButton);
  return (
    <section ref={section} tabIndex={-1} className="branches" aria-labelledby="branches-title">
      <div className="page-head">
        <h2 id="branches-title">Branches</h2>
        {canCreateBranches && !isAdding && !isDeleted && (
          <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            Add branch
          </Button>
        )}
      </div>
      {isAdding && <NewBranch programId={programId} years={list.items[0]?.years.length} close={close} />}
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {rows.length > 0 ? (
        <table className="branch-table" aria-labelledby="branches-title">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Code</th>
              <th scope="col">Years</th>
              <th scope="col">Description</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ branch, isEdited, isListed }) => (
              <Branch
                key={branch.id}
                branch={branch}
                programId={programId}
                isEdited={isEdited}
                isListed={isListed}
                isProgramDeleted={isDeleted}
                edit={() => begin(branch)}
                endEdit={() => end(branch)}
                refresh={reload}
                list={section}
              />
            ))}
          </tbody>
        </table>
      ) : (
        !list.isLoading && list.error === undefined && <p className="hint">This program has no branches yet.</p>
      )}
      {list.hasNext && !isDeleted && (
        <Button className="button" isPending={list.isLoading} onPress={list.loadMore}>
          Show more branches
        </Button>
      )}
    </section>
  );
}

interface BranchProps {
  readonly branch: BranchFieldsFragment;
  readonly programId: number;
  readonly isEdited: boolean;
  /** `false` if it has left the list while it is edited. */
  readonly isListed: boolean;
  readonly isProgramDeleted: boolean;
  readonly edit: () => void;
  readonly endEdit: () => void;
  readonly refresh: () => void;
  /** Gets the focus when the row is removed. */
  readonly list: RefObject<HTMLElement | null>;
}

function Branch(props: BranchProps) {
  const { branch, programId, isEdited, isListed, isProgramDeleted, edit, endEdit, refresh, list } = props;
  const [isMoving, setIsMoving] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { canWrite } = useRights();
  const isChanged = useIsChanged('BRANCH', branch.id);
  const remove = useDeleteBranch();
  const row = useRef<HTMLTableRowElement>(null);
  usePassFocus(row, list);
  if (isEdited) {
    return (
      <tr ref={row}>
        <td colSpan={5}>
          <EditListedBranch
            branch={branch}
            programId={programId}
            isListed={isListed || isProgramDeleted}
            refresh={refresh}
            close={() => focusAfter(endEdit, editButton)}
          />
        </td>
      </tr>
    );
  }
  const { id, name, code, years, description } = branch;
  return (
    <tr ref={row} className={isChanged ? 'changed' : ''}>
      <th scope="row" className="name-text">
        <Link to="/branches/$branchId" params={{ branchId: id }} className="record-link">
          {name}
        </Link>
      </th>
      <td className="mono">{code}</td>
      <td className="mono">{years.map((year) => year.code).join(' ')}</td>
      <td className="name-text" title={description}>
        {description}
      </td>
      <td>
        {canWrite && !isProgramDeleted && (
          <div className="actions row-actions">
            <Button ref={editButton} className="button quiet" aria-label={`Edit ${name}`} onPress={edit}>
              <Pencil aria-hidden="true" />
            </Button>
            <Button className="button quiet" aria-label={`Move ${name}`} onPress={() => setIsMoving(true)}>
              <CornerUpRight aria-hidden="true" />
            </Button>
            <Button className="button quiet" aria-label={`Delete ${name}`} onPress={() => void remove(branch)}>
              <Trash2 aria-hidden="true" />
            </Button>
          </div>
        )}
        {isMoving && (
          <LazyDialog load={() => import('./move-branch.tsx')} close={() => setIsMoving(false)}>
            {({ MoveBranch }) => <MoveBranch branch={branch} programId={programId} close={() => setIsMoving(false)} />}
          </LazyDialog>
        )}
      </td>
    </tr>
  );
}
