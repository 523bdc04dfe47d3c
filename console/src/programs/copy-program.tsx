import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Checkbox } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { CopyProgramDocument, type ProgramFieldsFragment } from '../program/documents.generated.ts';
import { ProgramTexts, programFields } from '../program/program-fields.tsx';
import { recordRoute } from '../records/record-link.tsx';
import { SimilarRecords } from '../records/similar-records.tsx';

/** Copies a program with its branches, under another name. */
export function CopyProgram({ program }: { readonly program: ProgramFieldsFragment }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        <Copy aria-hidden="true" />
        Copy program
      </button>
      {isOpen && <CopyDialog program={program} close={() => setIsOpen(false)} />}
    </>
  );
}

function CopyDialog({
  program: { id, name, duration },
  close,
}: {
  readonly program: ProgramFieldsFragment;
  readonly close: () => void;
}) {
  const [leave] = useState(useLeaveAfter());
  const initial = { name, duration, code: '', keepBranchCodes: false };
  const { values, change, withIdempotencyKey, clear } = useDraft(`copy-${id}`, initial);
  const [, copy] = useMutation(CopyProgramDocument);
  const finish = (): void => {
    clear();
    close();
  };
  return (
    <Overlay title="Copy a program with its branches" close={close}>
      <Form
        label="Copy program"
        submitText="Copy program"
        fields={programFields}
        send={() => copy({ id, input: values }, withIdempotencyKey)}
        done={({ copyProgram: copied }) => {
          finish();
          toast(toastText`${copied.name} was created, with the branches of ${name}.`);
          void leave(recordRoute('PROGRAM', copied.id));
        }}
        onCancel={finish}
      >
        {(problems) => (
          <>
            <ProgramTexts values={values} change={change} problems={problems} />
            <SimilarRecords name={values.name === name ? '' : values.name} code={values.code} />
            <Checkbox isSelected={values.keepBranchCodes} onChange={(keeps) => change('keepBranchCodes', keeps)}>
              Its branches keep their codes, too
            </Checkbox>
          </>
        )}
      </Form>
    </Overlay>
  );
}
