import { Link } from '@tanstack/react-router';
import { Overlay } from '../components/overlay.tsx';
import { EditBranch } from './edit-branch.tsx';
import { LiveBranch } from './live-branch.tsx';

interface EditListedBranchProps {
  readonly id: number;
  /** The program on whose screen it is listed. */
  readonly programId: number;
  readonly close: () => void;
}

/** The form of a branch on the screen of its program. */
export function EditListedBranch({ id, programId, close }: EditListedBranchProps) {
  return (
    <Overlay title="Edit branch" close={close}>
      <LiveBranch id={id}>
        {(branch, refresh) => (
          <>
            {branch.program !== undefined && branch.program.id !== programId && (
              <p role="alert" className="notice warn name-text">
                <span>
                  Somebody has moved this branch to{' '}
                  <Link to="/programs/$programId" params={{ programId: branch.program.id }}>
                    {branch.program.name}
                  </Link>
                  . What you save is saved there.
                </span>
              </p>
            )}
            <EditBranch programId={branch.program?.id} branch={branch} refresh={refresh} close={close} />
          </>
        )}
      </LiveBranch>
    </Overlay>
  );
}
