import { useCallback, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../components/notices.tsx';
import { useRights } from '../session/viewer.tsx';
import { Table } from '../table/table.tsx';
import { type UserFieldsFragment, UsersDocument } from './documents.generated.ts';
import { DeleteUser, UserActions } from './user-actions.tsx';
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
  const [leaving, setLeaving] = useState<UserFieldsFragment | null>(null);
  const columns = useMemo(() => userColumns(viewer.name), [viewer.name]);
  const actions = useCallback(
    (user: UserFieldsFragment) => (
      <UserActions user={user} showKeys={showKeys} edit={setEdited} askDeletion={setLeaving} />
    ),
    [showKeys],
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
      {edited !== null && <UserForm user={edited === 'new' ? null : edited} close={() => setEdited(null)} />}
      {leaving !== null && <DeleteUser user={leaving} close={() => setLeaving(null)} />}
    </section>
  );
}
