import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { codeOf } from '../api/errors.ts';
import { useRights } from '../session/viewer.tsx';
import { BranchDocument, type BranchFieldsFragment } from './documents.generated.ts';
import { EditBranch } from './edit-branch.tsx';
import { MissingBranch } from './missing-branch.tsx';

interface EditListedBranchProps {
  readonly branch: BranchFieldsFragment;
  readonly programId: number;
  /** If not, it is loaded by id: it was moved or deleted, or its page is no longer loaded. */
  readonly isListed: boolean;
  readonly refresh: () => void;
  readonly close: () => void;
}

/** The form of a branch in a list; it stays when somebody moves or deletes the branch. */
export function EditListedBranch({ branch, programId, isListed, refresh, close }: EditListedBranchProps) {
  const { canRead } = useRights();
  const [{ data, error }, reload] = useQuery({
    query: BranchDocument,
    variables: { id: branch.id, withProgram: canRead },
    pause: isListed,
    requestPolicy: 'cache-and-network',
  });
  const found = isListed ? undefined : (data?.branch ?? undefined);
  const elsewhere = found?.program?.id === programId ? undefined : found?.program;
  const isDeleted = !isListed && error !== undefined && codeOf(error) === 'NOT_FOUND';
  const refreshIt = (): void => {
    refresh();
    if (!isListed) reload({ requestPolicy: 'network-only' });
  };
  return (
    <>
      {isDeleted && <MissingBranch id={branch.id} isPage={false} restored={refreshIt} />}
      {!isDeleted && elsewhere !== undefined && (
        <p role="alert" className="notice warn name-text">
          <span>
            Somebody has moved this branch to{' '}
            <Link to="/programs/$programId" params={{ programId: elsewhere.id }}>
              {elsewhere.name}
            </Link>
            . What you save is saved there.
          </span>
        </p>
      )}
      <EditBranch programId={elsewhere?.id ?? programId} branch={found ?? branch} refresh={refreshIt} close={close} />
    </>
  );
}
