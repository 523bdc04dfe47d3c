import { useState } from 'react';
import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
import { hasDraft } from '../forms/drafts.ts';
import { Form, fieldOf } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { CreateEditionDocument } from './documents.generated.ts';

export const editionDraft = 'edition';

const empty = { name: '', note: '' };

/** Freezes the present catalog under a name. */
export function NewEdition({ close }: { readonly close: () => void }) {
  const { values, change, withIdempotencyKey, clear, cancel } = useDraft(editionDraft, empty);
  const [hadDraft] = useState(() => hasDraft(editionDraft));
  const [, create] = useMutation(CreateEditionDocument);
  const giveUp = (): void => {
    clear();
    close();
  };
  return (
    <Overlay title={t('editions.freeze')} hasTyped={hadDraft} close={giveUp}>
      <p className="hint">{t('editions.about')}</p>
      <Form
        label={t('editions.freeze')}
        submitText={t('editions.freeze')}
        fields={['name', 'note']}
        send={() => create(values, withIdempotencyKey())}
        done={({ createEdition: { name } }, _goesOn, hasTyped) => {
          clear();
          if (!hasTyped) close();
          toast(t.rich('editions.frozen', { name, bdi }));
        }}
        onCancel={() => cancel(close)}
      >
        {(problems) => (
          <>
            <TextField
              label={t('field.name')}
              description={t('editions.nameHint')}
              autoFocus
              isRequired
              input={{ maxLength: 100 }}
              {...fieldOf({ values, change, problems })('name')}
              max={100}
            />
            <TextField label={t('notes.text')} rows={3} {...fieldOf({ values, change, problems })('note')} />
          </>
        )}
      </Form>
    </Overlay>
  );
}
