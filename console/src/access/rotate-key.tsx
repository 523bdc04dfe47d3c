import { useState } from 'react';
import { useMutation } from 'urql';
import { Overlay } from '../components/overlay.tsx';
import { Select } from '../components/select.tsx';
import { Form } from '../forms/form.tsx';
import { type KeyFieldsFragment, RotateKeyDocument } from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { overlaps } from './roles.ts';

interface RotateKeyProps {
  readonly apiKey: KeyFieldsFragment;
  readonly close: () => void;
  /** Receives the secret, which is shown once. */
  readonly issued: (key: string) => void;
}

export function RotateKey({ apiKey, close, issued }: RotateKeyProps) {
  const { id, user } = apiKey;
  const [overlap, setOverlap] = useState('24h');
  const [, rotate] = useMutation(RotateKeyDocument);
  return (
    <Overlay title="Rotate a key" close={close}>
      <p className="name-text">
        A new key replaces {titleOf(apiKey)} of {user.name}, with the same name and restrictions.
      </p>
      <Form
        label="Rotate the key"
        submitText="Rotate key"
        fields={[]}
        send={() => rotate({ id, input: { overlap } })}
        done={({ rotateApiKey: { key } }) => {
          close();
          issued(key);
        }}
        onCancel={close}
      >
        {() => (
          <Select label="The old key stays valid" autoFocus value={overlap} options={overlaps} onChange={setOverlap} />
        )}
      </Form>
    </Overlay>
  );
}
