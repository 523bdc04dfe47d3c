import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
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
  /** `null` without the permission to read programs: then the user types an id. */
  readonly programId: number | null;
  /** As many as its siblings have. */
  readonly years?: number | undefined;
  readonly close: () => void;
}

export function NewBranch({ programId, years = emptyBranch.years, close }: NewBranchProps) {
  const initial = { ...emptyBranch, years, programNumber: '' };
  const { values, change, keyForAttempt, clear } = useDraft(`branch-${programId ?? 'of-number'}`, initial);
  const [, create] = useMutation(CreateBranchDocument);
  const asksForProgram = programId === null;
  const { problems, code, form, submit } = useSubmit(asksForProgram ? [...branchFields, 'programId'] : branchFields);
  const isUnknownProgram = asksForProgram && code === 'NOT_FOUND';
  const send = () => {
    const { programNumber, ...branch } = values;
    return submit(
      () =>
        create(
          { input: { ...withAttributes(branch), programId: programId ?? Number(programNumber) } },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createBranch: { name } }) => {
        clear();
        toast(toastText`${name} was created.`);
        close();
      },
    );
  };
  return (
    <section className="card" aria-label="New branch">
      <h3>New branch</h3>
      <Form
        label="New branch"
        submitText="Create branch"
        {...form}
        message={isUnknownProgram ? null : form.message}
        onSubmit={() => void send()}
        onCancel={() => {
          clear();
          close();
        }}
      >
        {asksForProgram && (
          <TextField
            label="Number of the program"
            description="Ask somebody who may see programs: it is on the page of the program, as “Number”."
            isRequired
            autoFocus
            inputMode="numeric"
            value={values.programNumber}
            onChange={(text) => change('programNumber', text.replace(/\D/g, '').slice(0, 9))}
            problem={isUnknownProgram ? (form.message ?? undefined) : problems['programId']}
          />
        )}
        <BranchTexts values={values} change={change} problems={problems} autoFocus={!asksForProgram} />
        {!asksForProgram && <Alike {...values} programId={programId} />}
        <BranchYears values={values} change={change} problems={problems} />
        <AttributeFields values={values} change={change} />
      </Form>
    </section>
  );
}
