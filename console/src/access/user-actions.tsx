import { useMutation } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { DeleteUserDocument, EndSessionsDocument, type UserFieldsFragment } from './documents.generated.ts';
import { RowActions } from './row-actions.tsx';

interface UserActionsProps {
  readonly user: UserFieldsFragment;
  readonly showKeys: (name: string) => void;
  readonly edit: (user: UserFieldsFragment) => void;
  readonly askDeletion: (user: UserFieldsFragment) => void;
}

export function UserActions({ user, showKeys, edit, askDeletion }: UserActionsProps) {
  const { id, name } = user;
  const [, end] = useMutation(EndSessionsDocument);
  const endSessions = async (): Promise<void> => {
    const { error } = await end({ id });
    toastOutcome(error, toastText`The sessions of ${name} have ended.`);
  };
  return (
    <RowActions
      actions={[
        { text: 'Keys', name: `Keys of ${name}`, run: () => showKeys(name) },
        { text: 'Edit', name: `Edit user ${name}`, run: () => edit(user) },
        { text: 'End sessions', name: `End the sessions of ${name}`, run: () => void endSessions() },
        { text: 'Delete', name: `Delete ${name}`, run: () => askDeletion(user) },
      ]}
    />
  );
}

interface DeleteUserProps {
  readonly user: UserFieldsFragment;
  readonly close: () => void;
}

/** Asks before a user is deleted. */
export function DeleteUser({ user: { id, name }, close }: DeleteUserProps) {
  const [, remove] = useMutation(DeleteUserDocument);
  const isOwn = useRights().viewer.name === name;
  const run = async (): Promise<void> => {
    const { error } = await remove({ id });
    toastOutcome(error, toastText`${name} was deleted. The audit log keeps the name.`);
  };
  return (
    <Confirm title="Delete a user" action="Delete user" run={() => void run()} close={close}>
      {isOwn && 'This is you: afterwards you cannot sign in any more. '}
      {name} is deleted, with the keys that are revoked or expired. This cannot be undone.
    </Confirm>
  );
}
