import { useMutation } from 'urql';
import type { Done } from '../api/done.ts';
import { editDraft } from '../forms/drafts.ts';
import { EditForm } from '../forms/edit-form.tsx';
import {
  type ProgramFieldsFragment,
  UpdateProgramDocument,
  type UpdateProgramMutation,
} from './documents.generated.ts';
import { ProgramFields, type ProgramValues, programLabels } from './program-fields.tsx';

const valuesOf = ({ name, duration, code }: ProgramFieldsFragment): ProgramValues => ({
  name,
  duration,
  code: code ?? '',
});

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
      label="Edit program"
      what="program"
      draftName={editDraft('program', program.id)}
      record={program}
      valuesOf={valuesOf}
      labels={programLabels}
      save={(input) => update({ id: program.id, input })}
      nameIn={({ updateProgram }: Done<UpdateProgramMutation>) => updateProgram.name}
      refresh={refresh}
      close={close}
    >
      {(edited) => <ProgramFields {...edited} />}
    </EditForm>
  );
}
