import { useNavigate } from '@tanstack/react-router';
import { useMutation } from 'urql';
import { PageTitle } from '../components/page-title.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { useLeaveAfter } from '../components/use-leave-after.ts';
import { withAttributes } from '../fields/attributes.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/no-screen.tsx';
import { CreateProgramDocument } from './documents.generated.ts';
import { emptyProgram, ProgramFields, programFields } from './program-fields.tsx';

export function NewProgramScreen() {
  const { canWrite } = useRights();
  return canWrite ? <NewProgram /> : <NotOffered what="create programs" right="PROGRAMS_WRITE" />;
}

function NewProgram() {
  const navigate = useNavigate();
  const leaveAfter = useLeaveAfter();
  const { values, change, keyForAttempt, clear } = useDraft('program', emptyProgram);
  const [, create] = useMutation(CreateProgramDocument);
  const { problems, form, submit } = useSubmit(programFields);
  const send = (): void => {
    const leave = leaveAfter();
    void submit(
      () =>
        create(
          { input: withAttributes(values) },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createProgram: { id, name } }) => {
        clear();
        toast(toastText`${name} was created.`);
        void leave({ to: '/programs/$programId', params: { programId: id } });
      },
    );
  };
  return (
    <>
      <PageTitle text="New program" />
      <Form
        label="New program"
        submitText="Create program"
        {...form}
        onSubmit={send}
        onCancel={() => {
          clear();
          void navigate({ to: '/programs' });
        }}
      >
        <ProgramFields values={values} change={change} problems={problems} />
      </Form>
    </>
  );
}
