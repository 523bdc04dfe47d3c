import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Checkbox, TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { Select } from '../components/select.tsx';
import { Form } from '../forms/form.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { useRights } from '../session/viewer.tsx';
import { IssueKeyDocument, UsersDocument } from './documents.generated.ts';
import { lifetimes, noLimit } from './roles.ts';

interface IssueKeyProps {
  readonly close: () => void;
  /** Receives the secret, which is shown once. */
  readonly issued: (key: string) => void;
}

const nobody = '';

export function IssueKey({ close, issued }: IssueKeyProps) {
  const { canAdminister, viewer } = useRights();
  const [{ data }] = useQuery({ query: UsersDocument, pause: !canAdminister });
  const users = (data?.users ?? []).map(({ id, name, role }) => ({
    value: String(id),
    text: `${name} (${role?.toLowerCase() ?? 'no role'})`,
  }));
  const [user, setUser] = useState(nobody);
  const [isAsked, setIsAsked] = useState(false);
  const [name, setName] = useState('');
  const [expiresIn, setExpiresIn] = useState('90d');
  // Until it is chosen, as the role of the user says.
  const [chosen, setReadOnly] = useState<boolean | null>(null);
  const role = canAdminister ? data?.users.find(({ id }) => String(id) === user)?.role : viewer.role;
  const readOnly = chosen ?? (role === 'VIEWER' || role === 'GUEST');
  const [, create] = useMutation(IssueKeyDocument);
  const { problems, form, submit } = useSubmit(['name']);
  const send = (): void => {
    const isMissing = canAdminister && user === nobody;
    setIsAsked(isMissing);
    if (isMissing) return;
    void submit(
      () =>
        create({
          input: {
            userId: canAdminister ? Number(user) : null,
            name,
            readOnly,
            expiresIn: expiresIn === noLimit ? null : expiresIn,
          },
        }),
      ({ createApiKey: { key } }) => {
        close();
        issued(key);
      },
    );
  };
  return (
    <Overlay title="Issue a key" close={close}>
      <Form label="New key" submitText="Issue key" {...form} onSubmit={send} onCancel={close}>
        {canAdminister && (
          <Select
            label="User"
            autoFocus
            value={user}
            options={[{ value: nobody, text: 'Choose a user' }, ...users]}
            onChange={setUser}
            problem={isAsked && user === nobody ? 'Choose the user whose key it will be.' : undefined}
          />
        )}
        <TextField
          autoFocus={!canAdminister}
          label="What it is for"
          description="Such as the name of the program that will use it."
          value={name}
          onChange={setName}
          problem={problems['name']}
        />
        <Select label="Valid for" value={expiresIn} options={lifetimes} onChange={setExpiresIn} />
        <Checkbox isSelected={readOnly} onChange={setReadOnly}>
          Read-only: it changes nothing, whatever its user may
        </Checkbox>
      </Form>
    </Overlay>
  );
}
