import { useMutation } from 'urql';
import type { Done } from '../api/errors.ts';
import { editDraft } from '../forms/drafts.ts';
import { EditForm } from '../forms/edit-form.tsx';
import { BranchTexts, BranchYears, branchLabels, branchValues } from './branch-fields.tsx';
import { type BranchFieldsFragment, UpdateBranchDocument, type UpdateBranchMutation } from './documents.generated.ts';

interface EditBranchProps {
  /** The current record, live. */
  readonly branch: BranchFieldsFragment;
  readonly refresh: () => void;
  readonly close: () => void;
}

export function EditBranch({ branch, refresh, close }: EditBranchProps) {
  const [, update] = useMutation(UpdateBranchDocument);
  return (
    <EditForm
      label={`Edit ${branch.name}`}
      what="branch"
      draftName={editDraft('branch', branch.id)}
      record={branch}
      valuesOf={branchValues}
      labels={branchLabels}
      save={(input) => update({ id: branch.id, input })}
      nameIn={({ updateBranch }: Done<UpdateBranchMutation>) => updateBranch.name}
      refresh={refresh}
      close={close}
    >
      {(edited) => (
        <>
          <BranchTexts {...edited} />
          <BranchYears {...edited} />
        </>
      )}
    </EditForm>
  );
}
