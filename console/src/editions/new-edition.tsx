import { useState } from 'react';
import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
import { Form } from '../forms/form.tsx';
import { giveUp } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { CreateEditionDocument } from './documents.generated.ts';

/** Freezes the present catalog under a name. */
export function NewEdition({ close }: { readonly close: () => void }) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [, create] = useMutation(CreateEditionDocument);
  return (
    <Overlay title={t('editions.freeze')} close={close}>
      <p className="hint">{t('editions.about')}</p>
      <Form
        label={t('editions.freeze')}
        submitText={t('editions.freeze')}
        fields={['name', 'note']}
        send={() => create({ name, note })}
        done={(_done, _goesOn, hasTyped) => {
          if (!hasTyped) close();
          toast(t.rich('editions.frozen', { name: name.trim(), bdi }));
        }}
        onCancel={(isUnsaved) => giveUp(isUnsaved, close)}
      >
        {(problems) => (
          <>
            <TextField
              label={t('field.name')}
              description={t('editions.nameHint')}
              autoFocus
              isRequired
              input={{ maxLength: 100 }}
              value={name}
              onChange={setName}
              problem={problems['name']}
            />
            <TextField label={t('notes.text')} rows={3} value={note} onChange={setNote} problem={problems['note']} />
          </>
        )}
      </Form>
    </Overlay>
  );
}
