import { useCallback, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { focusAfter } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { useRights } from '../session/viewer.tsx';
import { Table } from '../table/table.tsx';
import { type UserFieldsFragment, UsersDocument } from './documents.generated.ts';
import { NewUser } from './new-user.tsx';
import { UserActions, UserDialog, type UserTask } from './user-actions.tsx';
import { userColumns } from './user-columns.tsx';

export function Users() {
  const [{ data, error }, reload] = useQuery({ query: UsersDocument });
  const { canManageAccess, viewer } = useRights();
  const [isAdding, setIsAdding] = useState(false);
  const [task, setTask] = useState<UserTask | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const columns = useMemo(() => userColumns(viewer.name), [viewer.name]);
  const actions = useCallback((user: UserFieldsFragment) => <UserActions user={user} begin={setTask} />, []);
  return (
    <section tabIndex={-1} className="stack" aria-labelledby="users-title">
      <div className="page-head">
        <h2 id="users-title">Users</h2>
        {canManageAccess && !isAdding && (
          <Button ref={addButton} className="button" onPress={() => setIsAdding(true)}>
            Add user
          </Button>
        )}
      </div>
      {isAdding && <NewUser close={() => focusAfter(() => setIsAdding(false), addButton)} />}
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      {data !== undefined && (
        <Table
          label="Users"
          list={{ items: data.users }}
          columns={columns}
          actions={canManageAccess ? actions : undefined}
        />
      )}
      {task !== null && <UserDialog task={task} close={() => setTask(null)} />}
    </section>
  );
}
