import { useMemo, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { toastOutcome } from '../api/toast-outcome.ts';
import { Confirm } from '../components/confirm.tsx';
import { toastText } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { Table } from '../table/table.tsx';
import {
  DeleteUserDocument,
  EndSessionsDocument,
  type UserFieldsFragment,
  UsersDocument,
} from './documents.generated.ts';
import { RowActions } from './row-actions.tsx';
import { userColumns } from './user-columns.tsx';
import { UserForm } from './user-form.tsx';

interface UsersProps {
  /** Shows the keys of the user with this name. */
  readonly showKeys: (name: string) => void;
}

export function Users({ showKeys }: UsersProps) {
  const [{ data, error }, reload] = useQuery({ query: UsersDocument });
  const { canManageAccess, viewer } = useRights();
  const [edited, setEdited] = useState<UserFieldsFragment | 'new' | null>(null);
  const [asked, setAsked] = useState<{ readonly kind: 'delete' | 'end'; readonly user: UserFieldsFragment } | null>(
    null,
  );
  const columns = useMemo(() => userColumns(viewer.name), [viewer.name]);
  const actions = (user: UserFieldsFragment) => (
    <RowActions
      actions={[
        { text: 'Keys', name: `Keys of ${user.name}`, run: () => showKeys(user.name) },
        { text: 'Edit', name: `Edit user ${user.name}`, run: () => setEdited(user) },
        { text: 'End sessions', name: `End the sessions of ${user.name}`, run: () => setAsked({ kind: 'end', user }) },
        { text: 'Delete', name: `Delete ${user.name}`, run: () => setAsked({ kind: 'delete', user }) },
      ]}
    />
  );
  return (
    <section tabIndex={-1} className="stack" aria-labelledby="users-title">
      <div className="page-head">
        <h2 id="users-title">Users</h2>
        {canManageAccess && (
          <button type="button" className="button" onClick={() => setEdited('new')}>
            Add user
          </button>
        )}
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      {data !== undefined && (
        <Table
          label="Users"
          list={{ items: data.users }}
          columns={columns}
          actions={canManageAccess ? actions : undefined}
        />
      )}
      {edited !== null && (
        <UserForm user={edited === 'new' ? null : edited} close={() => setEdited(null)} showKeys={showKeys} />
      )}
      {asked?.kind === 'delete' && <DeleteUser user={asked.user} close={() => setAsked(null)} />}
      {asked?.kind === 'end' && <EndSessions user={asked.user} close={() => setAsked(null)} />}
    </section>
  );
}

interface UserTaskProps {
  readonly user: UserFieldsFragment;
  readonly close: () => void;
}

/** Asks before the sessions of a user end. */
function EndSessions({ user: { id, name }, close }: UserTaskProps) {
  const [, end] = useMutation(EndSessionsDocument);
  const isOwn = useRights().viewer.name === name;
  const run = async (): Promise<void> => {
    const { error } = await end({ id });
    toastOutcome(error, toastText`The sessions of ${name} have ended.`);
  };
  return (
    <Confirm title="End sessions" action="End sessions" run={() => void run()} close={close}>
      {name} is signed out in every browser, and signs in again to go on. Keys stay valid.
      {isOwn && ' This is you, in this browser too.'}
    </Confirm>
  );
}

/** Asks before a user is deleted. */
function DeleteUser({ user: { id, name }, close }: UserTaskProps) {
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
