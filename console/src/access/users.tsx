import { type RefObject, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { TextField } from '../components/fields.tsx';
import { focusAfter, usePassFocus } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { Select } from '../components/select.tsx';
import { toast, toastOutcome, toastText } from '../components/toast-queue.ts';
import { Time } from '../format/time.tsx';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useRights } from '../session/viewer.tsx';
import {
  CreateUserDocument,
  DeleteUserDocument,
  EndSessionsDocument,
  UpdateUserDocument,
  UsersDocument,
  type UsersQuery,
} from './documents.generated.ts';
import { EditUser } from './edit-user.tsx';
import { mayDo, roles } from './roles.ts';

type User = UsersQuery['users'][number];

export function Users() {
  const [{ data, error }, reload] = useQuery({ query: UsersDocument });
  const { canManageAccess } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const section = useRef<HTMLElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => focusAfter(() => setIsAdding(false), addButton);
  return (
    <section ref={section} tabIndex={-1} className="card" aria-labelledby="users-title">
      <div className="page-head">
        <h2 id="users-title">Users</h2>
        {canManageAccess && !isAdding && (
          <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
            Add user
          </Button>
        )}
      </div>
      {isAdding && <NewUser close={close} />}
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      <ul className="access-list">
        {data?.users.map((user) => (
          <UserRow key={user.id} user={user} canManage={canManageAccess} list={section} />
        ))}
      </ul>
    </section>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly canManage: boolean;
  /** Gets the focus when the row is removed. */
  readonly list: RefObject<HTMLElement | null>;
}

function UserRow({ user, canManage, list }: UserRowProps) {
  const { id, name, role, disabled, createdAt } = user;
  const [task, setTask] = useState<'edit' | 'disable' | 'delete' | null>(null);
  const row = useRef<HTMLLIElement>(null);
  usePassFocus(row, list);
  const [, update] = useMutation(UpdateUserDocument);
  const [, remove] = useMutation(DeleteUserDocument);
  const [, end] = useMutation(EndSessionsDocument);
  const isOwn = useRights().viewer.name === name;
  const runDeletion = async (): Promise<void> => {
    const { error } = await remove({ id });
    toastOutcome(error, toastText`${name} was deleted. The audit log keeps the name.`);
  };
  const setDisabled = async (disabled: boolean): Promise<void> => {
    const { error } = await update({ id, input: { disabled } });
    toastOutcome(error, disabled ? toastText`${name} is disabled now.` : toastText`${name} is enabled now.`);
  };
  const endSessions = async (): Promise<void> => {
    const { error } = await end({ id });
    toastOutcome(error, toastText`The sessions of ${name} have ended.`);
  };
  const close = (): void => setTask(null);
  return (
    <li ref={row}>
      <div className="who">
        <p className="name-text">
          <strong>{name}</strong> <span className="badge">{role?.toLowerCase() ?? 'no role'}</span>{' '}
          {disabled && <span className="badge bad">disabled</span>} {isOwn && <span className="badge">you</span>}
        </p>
        <p className="hint">
          {role === null ? 'may do nothing' : mayDo[role]} · added <Time at={createdAt} />
        </p>
      </div>
      {canManage && (
        <div className="actions row-actions">
          <Button className="button quiet" aria-label={`Edit user ${name}`} onPress={() => setTask('edit')}>
            Edit
          </Button>
          <Button
            className="button quiet"
            aria-label={`${disabled ? 'Enable' : 'Disable'} ${name}`}
            onPress={() => (isOwn ? setTask('disable') : void setDisabled(!disabled))}
          >
            {disabled ? 'Enable' : 'Disable'}
          </Button>
          <Button
            className="button quiet"
            aria-label={`End the sessions of ${name}`}
            onPress={() => void endSessions()}
          >
            End sessions
          </Button>
          <Button className="button quiet" aria-label={`Delete ${name}`} onPress={() => setTask('delete')}>
            Delete
          </Button>
        </div>
      )}
      {task === 'edit' && <EditUser user={user} isOwn={isOwn} close={close} />}
      {task === 'disable' && (
        <Confirm title="Disable yourself" action="Disable yourself" run={() => void setDisabled(true)} close={close}>
          You are signed in as {name}. You are shut out at once, and only another administrator can enable you.
        </Confirm>
      )}
      {task === 'delete' && (
        <Confirm title="Delete a user" action="Delete user" run={() => void runDeletion()} close={close}>
          {isOwn && 'This is you: afterwards you cannot sign in any more. '}
          {name} is deleted, with the keys that are revoked or expired. This cannot be undone.
        </Confirm>
      )}
    </li>
  );
}

const emptyUser: { readonly name: string; readonly role: string } = { name: '', role: 'VIEWER' };

function NewUser({ close }: { readonly close: () => void }) {
  const { values, change, keyForAttempt, clear } = useDraft('user', emptyUser);
  const [, create] = useMutation(CreateUserDocument);
  const { problems, message, isSending, submit } = useSubmit(['name', 'role']);
  const role = roles.find(({ value }) => value === values.role)?.value ?? 'VIEWER';
  const finish = (): void => {
    clear();
    close();
  };
  const send = () =>
    submit(
      () =>
        create(
          { input: { name: values.name, role } },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createUser: { name } }) => {
        toast(toastText`${name} was added. Issue a key next.`);
        finish();
      },
    );
  return (
    <Form
      label="New user"
      submitText="Add user"
      isSending={isSending}
      message={message}
      onSubmit={() => void send()}
      onCancel={finish}
    >
      <TextField
        label="Name"
        description="A person or a program that uses the service; a token names its user by it."
        isRequired
        autoFocus
        value={values.name}
        onChange={(name) => change({ name })}
        problem={problems['name']}
      />
      <Select label="Role" value={role} options={roles} onChange={(value) => change({ role: value })} />
    </Form>
  );
}
