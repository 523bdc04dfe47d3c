import { Link } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useIsChanged } from '../api/use-is-changed.ts';
import { usePageList } from '../api/use-page-list.ts';
import { focusAfter } from '../components/focus-after.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { usePassFocus } from '../components/use-pass-focus.ts';
import { useRights } from '../session/viewer.tsx';
import { YearCodes } from './branch-fields.tsx';
import {
  type BranchFieldsFragment,
  ProgramBranchesDocument,
  type ProgramBranchesQuery,
} from './documents.generated.ts';
import { EditBranch } from './edit-branch.tsx';
import { NewBranch } from './new-branch.tsx';
import { useDeleteBranch } from './use-delete-branch.ts';
import './branch.css';

const MoveBranch = lazy(async () => ({ default: (await import('./move-branch.tsx')).MoveBranch }));

const pageSize = 50;
const connectionIn = ({ program }: ProgramBranchesQuery) => program?.branchesConnection;

/** The branches of a program, and the form for another. */
export function BranchesOfProgram({ programId }: { readonly programId: number }) {
  const list = usePageList(ProgramBranchesDocument, { id: programId, first: pageSize }, connectionIn);
  const { canCreateBranches } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const section = useRef<HTMLElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => focusAfter(() => setIsAdding(false), addButton);
  return (
    <section ref={section} tabIndex={-1} className="branches" aria-labelledby="branches-title">
      <div className="page-head">
        <h2 id="branches-title">Branches</h2>
        {canCreateBranches && !isAdding && (
          <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
            Add branch
          </Button>
        )}
      </div>
      {isAdding && <NewBranch programId={programId} close={close} />}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={list.reload} />}
      {list.items.length > 0 ? (
        <ul className="records">
          {list.items.map((branch) => (
            <Branch key={branch.id} branch={branch} programId={programId} refresh={list.reload} list={section} />
          ))}
        </ul>
      ) : (
        !list.isLoading && list.error === undefined && <p className="hint">This program has no branches yet.</p>
      )}
      {list.hasNext && (
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
  readonly refresh: () => void;
  /** Takes the focus when the branch leaves it. */
  readonly list: RefObject<HTMLElement | null>;
}

function Branch({ branch, programId, refresh, list }: BranchProps) {
  const [isEditing, setIsEditing] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { canWrite } = useRights();
  const isChanged = useIsChanged('BRANCH', branch.id);
  const remove = useDeleteBranch();
  const row = useRef<HTMLLIElement>(null);
  usePassFocus(row, list);
  const close = (): void => focusAfter(() => setIsEditing(false), editButton);
  if (isEditing) {
    return (
      <li ref={row} className="card">
        <EditBranch branch={branch} refresh={refresh} close={close} />
      </li>
    );
  }
  return (
    <li ref={row} className={isChanged ? 'card changed' : 'card'}>
      <div className="page-head">
        <h3 className="name-text">
          <Link to="/branches/$branchId" params={{ branchId: branch.id }} className="record-link">
            {branch.name}
          </Link>
        </h3>
        {canWrite && (
          <div className="actions">
            <Button
              ref={editButton}
              className="button quiet"
              aria-label={`Edit ${branch.name}`}
              onPress={() => setIsEditing(true)}
            >
              Edit
            </Button>
            <Button className="button quiet" aria-label={`Move ${branch.name}`} onPress={() => setIsMoving(true)}>
              Move
            </Button>
            <Button
              className="button quiet danger"
              aria-label={`Delete ${branch.name}`}
              onPress={() => void remove(branch)}
            >
              Delete
            </Button>
          </div>
        )}
      </div>
      {branch.description !== '' && <p className="description name-text">{branch.description}</p>}
      <YearCodes codes={branch.years.map(({ code }) => code)} />
      {isMoving && (
        <Suspense fallback={null}>
          <MoveBranch branch={branch} programId={programId} close={() => setIsMoving(false)} />
        </Suspense>
      )}
    </li>
  );
}
