import { useMutation } from 'urql';
import { toast } from '../components/toast-queue.ts';
import { Compare } from '../forms/compare.tsx';
import { Form } from '../forms/form.tsx';
import { useEdit } from '../forms/use-edit.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { BranchTexts, type BranchValues, BranchYears, branchFields, branchLabels } from './branch-fields.tsx';
import { type BranchFieldsFragment, UpdateBranchDocument } from './documents.generated.ts';

const valuesOf = ({ name, description, years, codePrefix, codeIsNumeric }: BranchFieldsFragment): BranchValues => ({
  name,
  description,
  years: years.length,
  codePrefix,
  codeIsNumeric,
});

interface EditBranchProps {
  /** As it is now, live. */
  readonly branch: BranchFieldsFragment;
  readonly refresh: () => void;
  readonly close: () => void;
}

/** The fields of a branch, to change them in place. */
export function EditBranch({ branch, refresh, close }: EditBranchProps) {
  const edit = useEdit(branch, valuesOf);
  const [, update] = useMutation(UpdateBranchDocument);
  const { problems, message, code, isSending, submit } = useSubmit(branchFields);
  const save = (): void => {
    const values = edit.changes();
    if (Object.keys(values).length === 0) {
      close();
      return;
    }
    void submit(
      async () => {
        const result = await update({ id: branch.id, input: { ...values, expectedVersion: edit.expectedVersion } });
        if (result.error !== undefined) refresh();
        return result;
      },
      ({ updateBranch }) => {
        toast(`${updateBranch.name} was saved.`);
        close();
      },
    );
  };
  return (
    <Form
      label={`Edit ${branch.name}`}
      submitText="Save"
      isSending={isSending}
      message={code === 'CONFLICT' ? null : message}
      onSubmit={save}
      onCancel={close}
    >
      {edit.hasConflict ? (
        <Compare what="branch" differences={edit.differences} labels={branchLabels} choose={edit.choose} />
      ) : (
        <>
          <BranchTexts values={edit.typed} change={edit.change} problems={problems} />
          <BranchYears values={edit.typed} change={edit.change} problems={problems} />
        </>
      )}
    </Form>
  );
}
