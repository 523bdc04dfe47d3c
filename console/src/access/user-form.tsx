import { useState } from 'react';
import { type OperationResult, useMutation } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Form } from '../forms/form.tsx';
import { useRights } from '../session/viewer.tsx';
import { CreateUserDocument, UpdateUserDocument, type UserFieldsFragment } from './documents.generated.ts';
import { roles } from './roles.ts';

interface UserFormProps {
  /** `null` for a new one. */
  readonly user: UserFieldsFragment | null;
  readonly close: () => void;
  /** Shows the keys of a new user: a key is what it needs next. */
  readonly showKeys: (name: string) => void;
}

export function UserForm({ user, close, showKeys }: UserFormProps) {
  const isOwn = useRights().viewer.name === user?.name;
  const [name, setName] = useState(user?.name ?? '');
  const [role, setRole] = useState(user === null ? 'VIEWER' : (user.role ?? 'GUEST'));
  const [disabled, setDisabled] = useState(user?.disabled ?? false);
  const [, create] = useMutation(CreateUserDocument);
  const [, update] = useMutation(UpdateUserDocument);
  const send = (): Promise<OperationResult<unknown>> =>
    user === null
      ? create({ input: { name, role } })
      : update({ id: user.id, input: { name, role: role === user.role ? null : role, disabled } });
  return (
    <Overlay title={user === null ? 'Add a user' : 'Edit a user'} close={close}>
      {user !== null && (
        <p className="hint">Keys stay valid, with the new role. Earlier entries of the audit log keep the old name.</p>
      )}
      <Form
        label="User"
        submitText={user === null ? 'Add user' : 'Save'}
        fields={['name', 'role']}
        send={send}
        done={() => {
          toast(user === null ? toastText`${name} was added. Issue a key next.` : toastText`${name} was saved.`);
          close();
          if (user === null) showKeys(name.trim());
        }}
        onCancel={close}
      >
        {(problems) => (
          <>
            <TextField
              label="Name"
              description="Unique. For tokens, the sub claim."
              isRequired
              autoFocus
              value={name}
              onChange={setName}
              problem={problems['name']}
            />
            <Select label="Role" value={role} options={roles} onChange={setRole} />
            {user !== null && (
              <Checkbox isSelected={disabled} onChange={setDisabled}>
                Disabled: may not sign in, and no key works
              </Checkbox>
            )}
            {isOwn && (disabled || role !== user?.role) && (
              <p role="status" className="notice warn">
                <span>
                  {disabled
                    ? 'This is you: you are shut out at once, and only another administrator can enable you.'
                    : 'This is you: with another role you can no longer manage users and keys.'}
                </span>
              </p>
            )}
          </>
        )}
      </Form>
    </Overlay>
  );
}
