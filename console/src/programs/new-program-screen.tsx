import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';
import { PageTitle } from '../components/page-title.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { withAttributes } from '../fields/attributes.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { CreateProgramDocument } from '../program/documents.generated.ts';
import { emptyProgram, ProgramFields, programFields } from '../program/program-fields.tsx';
import { recordRoute } from '../records/record-link.tsx';

export function NewProgramScreen() {
  const navigate = useNavigate();
  // The screen that it leaves is this one.
  const [leave] = useState(useLeaveAfter());
  const { values, change, withIdempotencyKey, clear } = useDraft('program', emptyProgram);
  // Each begins with the focus in its first field.
  const [count, setCount] = useState(0);
  const [, create] = useMutation(CreateProgramDocument);
  return (
    <>
      <PageTitle text="New program" />
      <Form
        label="New program"
        submitText="Create program"
        nextText="Create and add another"
        fields={programFields}
        send={() => create({ input: withAttributes(values) }, withIdempotencyKey)}
        done={({ createProgram: { id, name } }, goesOn) => {
          clear();
          toast(toastText`${name} was created.`);
          if (goesOn) setCount(count + 1);
          else void leave(recordRoute('PROGRAM', id));
        }}
        onCancel={() => {
          clear();
          void navigate({ to: '/programs' });
        }}
      >
        {(problems) => <ProgramFields key={count} values={values} change={change} problems={problems} />}
      </Form>
    </>
  );
}
