import { Copy } from 'lucide-react';
import { use, useState } from 'react';
import { useMutation } from 'urql';
import { Checkbox } from '../components/fields.tsx';
import { InSidePanel } from '../components/page-title.tsx';
import { SimilarRecords } from '../find/similar-records.tsx';
import { withAttributes } from '../forms/attributes.ts';
import { hasDraft } from '../forms/drafts.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { recordRoute } from '../links/record-link.tsx';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { CopyProgramDocument, type ProgramFieldsFragment } from '../program/documents.generated.ts';
import { ProgramTexts } from '../program/program-fields.tsx';
import { ownValues, programFields } from '../program/program-values.ts';
import { RecordAction } from '../records/record-action.tsx';

/** Copies a program with its branches, under another name. */
export function CopyProgram({ program }: { readonly program: ProgramFieldsFragment }) {
  const isInSidePanel = use(InSidePanel);
  // Not beside a list, whose focus it would take.
  const [isOpen, setIsOpen] = useState(() => !isInSidePanel && hasDraft(copyDraft(program.id)));
  return (
    <>
      <RecordAction icon={Copy} text={t('programs.copyProgram')} onClick={() => setIsOpen(true)} />
      {isOpen && <CopyDialog program={program} close={() => setIsOpen(false)} />}
    </>
  );
}

const copyDraft = (id: number): string => `copy-${id}`;

interface CopyDialogProps {
  readonly program: ProgramFieldsFragment;
  readonly close: () => void;
}

function CopyDialog({ program, close }: CopyDialogProps) {
  const [leave] = useState(useLeaveAfter());
  const { id, name } = program;
  const initial = { ...ownValues(program), code: '', keepBranchCodes: false };
  const { values, change, withIdempotencyKey, clear, cancel } = useDraft(copyDraft(id), initial, name);
  const [hadDraft] = useState(() => hasDraft(copyDraft(id)));
  const [, copy] = useMutation(CopyProgramDocument);
  const finish = (): void => {
    clear();
    close();
  };
  return (
    <Overlay title={t('programs.copyTitle')} hasTyped={hadDraft} close={finish}>
      <Form
        label={t('programs.copyProgram')}
        submitText={t('programs.copyProgram')}
        fields={programFields}
        send={() => copy({ id, input: withAttributes(values) }, withIdempotencyKey())}
        done={({ copyProgram: copied }) => {
          finish();
          toast(t.rich('programs.copied', { name: copied.name, original: name, bdi }));
          void leave(recordRoute('PROGRAM', copied.id));
        }}
        onCancel={() => cancel(close)}
      >
        {(problems) => (
          <>
            <ProgramTexts values={values} change={change} problems={problems} />
            <SimilarRecords name={values.name} code={values.code} />
            <Checkbox isSelected={values.keepBranchCodes} onChange={(keeps) => change('keepBranchCodes', keeps)}>
              {t('programs.keepCodes')}
            </Checkbox>
          </>
        )}
      </Form>
    </Overlay>
  );
}
