import { useMutation } from 'urql';
import { toast } from '../components/toast-queue.ts';
import { Compare } from '../forms/compare.tsx';
import { Form } from '../forms/form.tsx';
import { useEdit } from '../forms/use-edit.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { type ProgramFieldsFragment, UpdateProgramDocument } from './documents.generated.ts';
import { ProgramFields, type ProgramValues, programFields, programLabels } from './program-fields.tsx';

const valuesOf = ({ name, duration, code }: ProgramFieldsFragment): ProgramValues => ({
  name,
  duration,
  code: code ?? '',
});

interface EditProgramProps {
  /** As it is now, live. */
  readonly program: ProgramFieldsFragment;
  readonly refresh: () => void;
  readonly close: () => void;
}

/** The fields of a program, to change them in place. */
export function EditProgram({ program, refresh, close }: EditProgramProps) {
  const edit = useEdit(program, valuesOf);
  const [, update] = useMutation(UpdateProgramDocument);
  const { problems, message, code, isSending, submit } = useSubmit(programFields);
  const save = (): void => {
    const values = edit.changes();
    if (Object.keys(values).length === 0) {
      close();
      return;
    }
    void submit(
      async () => {
        const result = await update({ id: program.id, input: { ...values, expectedVersion: edit.expectedVersion } });
        // Somebody was faster: their version is needed for the comparison.
        if (result.error !== undefined) refresh();
        return result;
      },
      ({ updateProgram }) => {
        toast(`${updateProgram.name} was saved.`);
        close();
      },
    );
  };
  return (
    <Form
      label="Edit program"
      submitText="Save"
      isSending={isSending}
      message={code === 'CONFLICT' ? null : message}
      onSubmit={save}
      onCancel={close}
    >
      {edit.hasConflict ? (
        <Compare what="program" differences={edit.differences} labels={programLabels} choose={edit.choose} />
      ) : (
        <ProgramFields values={edit.typed} change={edit.change} problems={problems} />
      )}
    </Form>
  );
}
