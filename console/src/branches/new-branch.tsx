import { useState } from 'react';
import { useMutation } from 'urql';
import { BranchFields } from '../branch/branch-fields.tsx';
import { branchFields, emptyBranch } from '../branch/branch-values.ts';
import { CreateBranchDocument } from '../branch/documents.generated.ts';
import { withAttributes } from '../forms/attributes.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { toast } from '../overlays/toast-queue.ts';
import type { ProgramFieldsFragment } from '../program/documents.generated.ts';

interface NewBranchProps {
  readonly program: Pick<ProgramFieldsFragment, 'id' | 'name'>;
  /** As many as the duration of the program says, or as its siblings have. */
  readonly years?: number | undefined;
  readonly close: () => void;
}

export const newBranchDraft = (programId: number): string => `branch-${programId}`;

export function NewBranch({ program, years = emptyBranch.years, close }: NewBranchProps) {
  const programId = program.id;
  const initial = { ...emptyBranch, years };
  const { values, change, withIdempotencyKey, clear, cancel } = useDraft(
    newBranchDraft(programId),
    initial,
    program.name,
  );
  const [, create] = useMutation(CreateBranchDocument);
  // Each begins with the focus in its first field.
  const [count, setCount] = useState(0);
  return (
    <section className="card" aria-label={t('branches.newBranch')}>
      <h3>{t('branches.newBranch')}</h3>
      <Form
        label={t('branches.newBranch')}
        submitText={t('branches.createBranch')}
        nextText={t('forms.addAnother')}
        fields={branchFields}
        send={() => create({ input: { ...withAttributes(values), programId } }, withIdempotencyKey())}
        done={({ createBranch: { name } }, goesOn) => {
          toast(t.rich('common.created', { name, bdi }));
          clear();
          if (goesOn) setCount(count + 1);
          else close();
        }}
        onCancel={() => cancel(close)}
      >
        {(problems) => (
          <BranchFields key={count} values={values} change={change} problems={problems} programId={programId} />
        )}
      </Form>
    </section>
  );
}
