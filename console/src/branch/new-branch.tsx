import { useMutation } from 'urql';
import { toast, toastText } from '../components/toast-queue.ts';
import { Alike } from '../fields/alike.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { withAttributes } from '../fields/attributes.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { BranchTexts, BranchYears, branchFields, emptyBranch } from './branch-fields.tsx';
import { CreateBranchDocument } from './documents.generated.ts';

interface NewBranchProps {
  readonly programId: number;
  /** As many as its siblings have. */
  readonly years?: number | undefined;
  readonly close: () => void;
}

export function NewBranch({ programId, years = emptyBranch.years, close }: NewBranchProps) {
  const { values, change, keyForAttempt, clear } = useDraft(`branch-${programId}`, { ...emptyBranch, years });
  const [, create] = useMutation(CreateBranchDocument);
  const { problems, form, submit } = useSubmit(branchFields);
  const send = () =>
    submit(
      () =>
        create(
          { input: { ...withAttributes(values), programId } },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createBranch: { name } }) => {
        clear();
        toast(toastText`${name} was created.`);
        close();
      },
    );
  return (
    <section className="card" aria-label="New branch">
      <h3>New branch</h3>
      <Form
        label="New branch"
        submitText="Create branch"
        {...form}
        onSubmit={() => void send()}
        onCancel={() => {
          clear();
          close();
        }}
      >
        <BranchTexts values={values} change={change} problems={problems} />
        <Alike {...values} programId={programId} />
        <BranchYears values={values} change={change} problems={problems} />
        <AttributeFields values={values} change={change} />
      </Form>
    </section>
  );
}
