import { useMutation } from 'urql';
import { named, toast } from '../components/toast-queue.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { BranchTexts, BranchYears, branchFields, emptyBranch } from './branch-fields.tsx';
import { CreateBranchDocument } from './documents.generated.ts';

/** The form for a branch of a program. */
export function NewBranch({ programId, close }: { readonly programId: number; readonly close: () => void }) {
  const { values, change, keyForAttempt, clear } = useDraft(`branch-${programId}`, emptyBranch);
  const [, create] = useMutation(CreateBranchDocument);
  const { problems, message, isSending, submit } = useSubmit(branchFields);
  const send = () =>
    submit(
      () =>
        create(
          { input: { ...values, programId } },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createBranch: { name } }) => {
        clear();
        toast(named`${name} was created.`);
        close();
      },
    );
  return (
    <section className="card" aria-label="New branch">
      <h3>New branch</h3>
      <Form
        label="New branch"
        submitText="Create branch"
        isSending={isSending}
        message={message}
        onSubmit={() => void send()}
        onCancel={() => {
          clear();
          close();
        }}
      >
        <BranchTexts values={values} change={(name, value) => change({ [name]: value })} problems={problems} />
        <BranchYears values={values} change={(name, value) => change({ [name]: value })} problems={problems} />
      </Form>
    </section>
  );
}
