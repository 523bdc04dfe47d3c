import { Link } from '@tanstack/react-router';
import { MissingRecord, useDeletedAt } from '../records/missing-record.tsx';
import { DeletedBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

interface MissingBranchProps {
  readonly id: number;
  readonly isPage: boolean;
  readonly restored: () => void;
}

export function MissingBranch({ id, isPage, restored }: MissingBranchProps) {
  const deletedAt = useDeletedAt(DeletedBranchDocument, id, ({ branchesConnection }) => branchesConnection);
  return (
    <MissingRecord
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
    </MissingRecord>
  );
}
