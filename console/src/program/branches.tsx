import { useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useIsChanged } from '../api/use-is-changed.ts';
import { usePageList } from '../api/use-page-list.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { useRights } from '../session/viewer.tsx';
import { YearCodes } from './branch-fields.tsx';
import {
  type BranchFieldsFragment,
  ProgramBranchesDocument,
  type ProgramBranchesQuery,
} from './documents.generated.ts';
import { EditBranch } from './edit-branch.tsx';
import { NewBranch } from './new-branch.tsx';
import { useDeleteBranch } from './use-deletion.ts';

const pageSize = 50;
const connectionIn = ({ program }: ProgramBranchesQuery) => program?.branchesConnection;

/** The branches of a program, and the form for another. */
export function Branches({ programId }: { readonly programId: number }) {
  const list = usePageList(ProgramBranchesDocument, { id: programId, first: pageSize }, connectionIn);
  const { canCreateBranches } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsAdding(false);
    requestAnimationFrame(() => addButton.current?.focus());
  };
  return (
    <section className="branches" aria-labelledby="branches-title">
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
            <Branch key={branch.id} branch={branch} refresh={list.reload} />
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

function Branch({ branch, refresh }: { readonly branch: BranchFieldsFragment; readonly refresh: () => void }) {
  const [isEditing, setIsEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { canWrite } = useRights();
  const isChanged = useIsChanged('BRANCH', branch.id);
  const remove = useDeleteBranch();
  const close = (): void => {
    setIsEditing(false);
    requestAnimationFrame(() => editButton.current?.focus());
  };
  if (isEditing) {
    return (
      <li className="card">
        <EditBranch branch={branch} refresh={refresh} close={close} />
      </li>
    );
  }
  return (
    <li className={isChanged ? 'card changed' : 'card'}>
      <div className="page-head">
        <h3 className="name-text">{branch.name}</h3>
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
    </li>
  );
}
