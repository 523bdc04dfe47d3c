import { type MissingProps, MissingRecord } from '../records/missing-record.tsx';
import { DeletedBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

export function MissingBranch(props: MissingProps) {
  return (
    <MissingRecord
      {...props}
      kind="Branch"
      deletion={DeletedBranchDocument}
      deletionsIn={({ branchesConnection }) => branchesConnection}
      restoration={RestoreBranchDocument}
      nameIn={({ restoreBranch }) => restoreBranch.name}
      about="It can be restored."
    />
  );
}
