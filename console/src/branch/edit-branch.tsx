import { useMutation } from 'urql';
import type { Done } from '../api/errors.ts';
import { withAttributes } from '../fields/attributes.ts';
import { EditForm } from '../forms/edit-form.tsx';
import { BranchFields, branchLabels, branchValues } from './branch-fields.tsx';
import { type BranchFieldsFragment, UpdateBranchDocument, type UpdateBranchMutation } from './documents.generated.ts';

interface EditBranchProps {
  /** The current record, live. */
  readonly branch: BranchFieldsFragment;
  /** Its program, if the caller may know it. */
  readonly programId: number | undefined;
  readonly refresh: () => void;
  readonly close: () => void;
}

export function EditBranch({ branch, programId, refresh, close }: EditBranchProps) {
  const { id } = branch;
  const [, update] = useMutation(UpdateBranchDocument);
  return (
    <EditForm
      kind="branch"
      record={branch}
      valuesOf={branchValues}
      labels={branchLabels}
      save={(input) => update({ id, input: withAttributes(input) })}
      nameIn={({ updateBranch }: Done<UpdateBranchMutation>) => updateBranch.name}
      refresh={refresh}
      close={close}
    >
      {(edited) => <BranchFields {...edited} id={id} programId={programId} />}
    </EditForm>
  );
}
