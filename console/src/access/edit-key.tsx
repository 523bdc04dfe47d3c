import { useState } from 'react';
import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { Select } from '../components/select.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { formatTime } from '../format/text.ts';
import { Form } from '../forms/form.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { type KeyFieldsFragment, UpdateKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { lifetimes, noLimit } from './roles.ts';

const unchanged = 'unchanged';

export function EditKey({ apiKey, close }: { readonly apiKey: KeyFieldsFragment; readonly close: () => void }) {
  const { id, user, kind, state, expiresAt } = apiKey;
  const [name, setName] = useState(apiKey.name);
  const [lifetime, setLifetime] = useState(unchanged);
  const [, update] = useMutation(UpdateKeyDocument);
  const { problems, form, submit } = useSubmit(['name']);
  const now = expiresAt === null ? 'No limit' : `Until ${formatTime(expiresAt)}`;
  const expiresIn = lifetime === unchanged ? null : lifetime === noLimit ? 'never' : lifetime;
  const options = [
    { value: unchanged, text: `${now}, as it is` },
    ...lifetimes.map(({ value, text }) => ({ value, text: value === noLimit ? text : `${text} from now` })),
  ];
  const send = () =>
    submit(
      () => update({ id, input: { name, expiresIn } }),
      ({ updateApiKey }) => {
        toast(toastText`${titleOf(updateApiKey)} was saved.`);
        close();
      },
    );
  return (
    <Overlay title={`A key of ${user.name}`} close={close}>
      <Form label="Edit the key" submitText="Save" {...form} onSubmit={() => void send()} onCancel={close}>
        <TextField label="What it is for" autoFocus value={name} onChange={setName} problem={problems['name']} />
        {state === 'ACTIVE' && kind === 'KEY' && (
          <Select label="Valid for" value={lifetime} options={options} onChange={setLifetime} />
        )}
      </Form>
    </Overlay>
  );
}
