import { Link } from '@tanstack/react-router';
import { Gone, useDeletedAt } from '../components/gone.tsx';
import { DeletedBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

interface GoneBranchProps {
  readonly id: number;
  readonly isPage: boolean;
  readonly restored: () => void;
}

/** What stands for a branch that was deleted: the way to have it back. */
export function GoneBranch({ id, isPage, restored }: GoneBranchProps) {
  const deletedAt = useDeletedAt(DeletedBranchDocument, id, ({ branchesConnection }) => branchesConnection);
  return (
    <Gone
      kind="Branch"
      id={id}
      isPage={isPage}
      deletedAt={deletedAt}
      about="It can be restored."
      restoration={RestoreBranchDocument}
      nameIn={({ restoreBranch }) => restoreBranch.name}
      restored={restored}
    >
      <Link to="/branches" className="button">
        All branches
      </Link>
    </Gone>
  );
}
