import { Button } from 'react-aria-components/Button';
import { useMutation } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import {
  DeleteUserDocument,
  EndSessionsDocument,
  UpdateUserDocument,
  type UserFieldsFragment,
} from './documents.generated.ts';
import { EditUser } from './edit-user.tsx';

/** What a dialog is opened for. */
export interface UserTask {
  readonly kind: 'edit' | 'disable' | 'delete';
  readonly user: UserFieldsFragment;
}

function useSetDisabled() {
  const [, update] = useMutation(UpdateUserDocument);
  return async ({ id, name }: UserFieldsFragment, disabled: boolean): Promise<void> => {
    const { error } = await update({ id, input: { disabled } });
    toastOutcome(error, disabled ? toastText`${name} is disabled now.` : toastText`${name} is enabled now.`);
  };
}

interface UserActionsProps {
  readonly user: UserFieldsFragment;
  readonly begin: (task: UserTask) => void;
}

export function UserActions({ user, begin }: UserActionsProps) {
  const { id, name, disabled } = user;
  const setDisabled = useSetDisabled();
  const [, end] = useMutation(EndSessionsDocument);
  const isOwn = useRights().viewer.name === name;
  const endSessions = async (): Promise<void> => {
    const { error } = await end({ id });
    toastOutcome(error, toastText`The sessions of ${name} have ended.`);
  };
  return (
    <>
      <Button className="button quiet" aria-label={`Edit user ${name}`} onPress={() => begin({ kind: 'edit', user })}>
        Edit
      </Button>
      <Button
        className="button quiet"
        aria-label={`${disabled ? 'Enable' : 'Disable'} ${name}`}
        onPress={() => (isOwn ? begin({ kind: 'disable', user }) : void setDisabled(user, !disabled))}
      >
        {disabled ? 'Enable' : 'Disable'}
      </Button>
      <Button className="button quiet" aria-label={`End the sessions of ${name}`} onPress={() => void endSessions()}>
        End sessions
      </Button>
      <Button className="button quiet" aria-label={`Delete ${name}`} onPress={() => begin({ kind: 'delete', user })}>
        Delete
      </Button>
    </>
  );
}

export function UserDialog({ task: { kind, user }, close }: { readonly task: UserTask; readonly close: () => void }) {
  const { id, name } = user;
  const setDisabled = useSetDisabled();
  const [, remove] = useMutation(DeleteUserDocument);
  const isOwn = useRights().viewer.name === name;
  const runDeletion = async (): Promise<void> => {
    const { error } = await remove({ id });
    toastOutcome(error, toastText`${name} was deleted. The audit log keeps the name.`);
  };
  if (kind === 'edit') return <EditUser user={user} isOwn={isOwn} close={close} />;
  if (kind === 'disable') {
    const disable = (): void => void setDisabled(user, true);
    return (
      <Confirm title="Disable yourself" action="Disable yourself" run={disable} close={close}>
        You are signed in as {name}. You are shut out at once, and only another administrator can enable you.
      </Confirm>
    );
  }
  return (
    <Confirm title="Delete a user" action="Delete user" run={() => void runDeletion()} close={close}>
      {isOwn && 'This is you: afterwards you cannot sign in any more. '}
      {name} is deleted, with the keys that are revoked or expired. This cannot be undone.
    </Confirm>
  );
}
