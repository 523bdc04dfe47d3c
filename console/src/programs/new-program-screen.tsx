import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';
import { PageTitle } from '../components/page-title.tsx';
import { withAttributes } from '../forms/attributes.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { recordRoute } from '../links/record-link.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { CreateProgramDocument } from '../program/documents.generated.ts';
import { ProgramFields } from '../program/program-fields.tsx';
import { emptyProgram, programFields } from '../program/program-values.ts';

export function NewProgramScreen() {
  const navigate = useNavigate();
  // The screen that it leaves is this one.
  const [leave] = useState(useLeaveAfter());
  const { values, change, withIdempotencyKey, clear, cancel } = useDraft('program', emptyProgram);
  // Each begins with the focus in its first field.
  const [count, setCount] = useState(0);
  const [, create] = useMutation(CreateProgramDocument);
  return (
    <>
      <PageTitle text={t('shell.newProgram')} />
      <Form
        label={t('shell.newProgram')}
        submitText={t('programs.createProgram')}
        nextText={t('forms.addAnother')}
        fields={programFields}
        send={() => create({ input: withAttributes(values) }, withIdempotencyKey())}
        done={({ createProgram: { id, name } }, goesOn) => {
          // The next one is likely to have the same duration; Tab selects it.
          clear(goesOn ? { ...emptyProgram, duration: values.duration } : emptyProgram);
          toast(t.rich('common.created', { name, bdi }));
          if (goesOn) setCount(count + 1);
          else void leave(recordRoute('PROGRAM', id));
        }}
        onCancel={() => cancel(() => void navigate({ to: '/programs' }))}
      >
        {(problems) => <ProgramFields key={count} values={values} change={change} problems={problems} />}
      </Form>
    </>
  );
}
