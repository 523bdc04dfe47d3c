import { useMutation } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { DeleteUserDocument, type UserFieldsFragment } from './documents.generated.ts';

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
