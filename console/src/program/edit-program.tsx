import { useMutation } from 'urql';
import type { Done } from '../api/errors.ts';
import { withAttributes } from '../fields/attributes.ts';
import { EditForm } from '../forms/edit-form.tsx';
import {
  type ProgramFieldsFragment,
  UpdateProgramDocument,
  type UpdateProgramMutation,
} from './documents.generated.ts';
import { ProgramFields, programLabels, programValues } from './program-fields.tsx';

interface EditProgramProps {
  /** The current record, live. */
  readonly program: ProgramFieldsFragment;
  readonly refresh: () => void;
  readonly close: () => void;
}

export function EditProgram({ program, refresh, close }: EditProgramProps) {
  const [, update] = useMutation(UpdateProgramDocument);
  return (
    <EditForm
      kind="program"
      record={program}
      valuesOf={programValues}
      labels={programLabels}
      save={(input) => update({ id: program.id, input: withAttributes(input) })}
      nameIn={({ updateProgram }: Done<UpdateProgramMutation>) => updateProgram.name}
      refresh={refresh}
      close={close}
    >
      {(edited) => <ProgramFields {...edited} id={program.id} />}
    </EditForm>
  );
}
