import { useMutation } from 'urql';
import type { Done } from '../api/errors.ts';
import { Alike } from '../fields/alike.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { withAttributes } from '../fields/attributes.ts';
import { editDraft } from '../forms/drafts.ts';
import { EditForm } from '../forms/edit-form.tsx';
import { BranchTexts, BranchYears, branchLabels, branchValues } from './branch-fields.tsx';
import { type BranchFieldsFragment, UpdateBranchDocument, type UpdateBranchMutation } from './documents.generated.ts';

interface EditBranchProps {
  /** Its program, if the caller may know it. */
  readonly programId: number | undefined;
  /** The current record, live. */
  readonly branch: BranchFieldsFragment;
  readonly refresh: () => void;
  readonly close: () => void;
}

export function EditBranch({ programId, branch, refresh, close }: EditBranchProps) {
  const [, update] = useMutation(UpdateBranchDocument);
  return (
    <EditForm
      label={`Edit ${branch.name}`}
      what="branch"
      draftName={editDraft('branch', branch.id)}
      record={branch}
      valuesOf={branchValues}
      labels={branchLabels}
      save={(input) => update({ id: branch.id, input: withAttributes(input) })}
      nameIn={({ updateBranch }: Done<UpdateBranchMutation>) => updateBranch.name}
      refresh={refresh}
      close={close}
    >
      {(edited) => (
        <>
          <BranchTexts {...edited} />
          {programId !== undefined && <Alike {...edited.values} ownId={branch.id} programId={programId} />}
          <BranchYears {...edited} />
          <AttributeFields {...edited} />
        </>
      )}
    </EditForm>
  );
}
