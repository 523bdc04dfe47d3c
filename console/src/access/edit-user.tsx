import { useState } from 'react';
import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { Select } from '../components/select.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Form } from '../forms/form.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { UpdateUserDocument, type UserFieldsFragment } from './documents.generated.ts';
import { roles } from './roles.ts';

interface EditUserProps {
  readonly user: UserFieldsFragment;
  /** Whether it is the signed-in user. */
  readonly isOwn: boolean;
  readonly close: () => void;
}

export function EditUser({ user, isOwn, close }: EditUserProps) {
  const { id } = user;
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role ?? 'GUEST');
  const [, update] = useMutation(UpdateUserDocument);
  const { problems, form, submit } = useSubmit(['name']);
  const send = () =>
    submit(
      () => update({ id, input: { name, role: role === user.role ? null : role } }),
      ({ updateUser }) => {
        toast(toastText`${updateUser.name} was saved.`);
        close();
      },
    );
  return (
    <Overlay title="Edit a user" close={close}>
      <p className="hint">Keys stay valid, with the new role. Earlier entries of the audit log keep the old name.</p>
      <Form label="Edit the user" submitText="Save" {...form} onSubmit={() => void send()} onCancel={close}>
        <TextField label="Name" isRequired autoFocus value={name} onChange={setName} problem={problems['name']} />
        <Select label="Role" value={role} options={roles} onChange={setRole} />
        {isOwn && role !== user.role && (
          <p role="status" className="notice warn">
            <span>This is you: with another role you can no longer manage users and keys.</span>
          </p>
        )}
      </Form>
    </Overlay>
  );
}
