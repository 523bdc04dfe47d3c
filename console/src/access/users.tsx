import { useMemo, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { toastOutcome } from '../api/toast-outcome.ts';
import { Button } from '../components/button.tsx';
import { Sketch } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { bdi, strong } from '../language/tags.ts';
import { ask } from '../overlays/overlay.tsx';
import { useRights } from '../session/viewer.tsx';
import { RowActions } from '../table/row-actions.tsx';
import { Table } from '../table/table.tsx';
import {
  DeleteUserDocument,
  EndSessionsDocument,
  type UserFieldsFragment,
  UsersDocument,
} from './documents.generated.ts';
import { roleText, userColumns } from './user-columns.tsx';
import { UserForm } from './user-form.tsx';

interface UsersProps {
  readonly showKeys: (name: string) => void;
  readonly issueKey: (name: string) => void;
}

export function Users({ showKeys, issueKey }: UsersProps) {
  const [{ data, error }, reload] = useQuery({ query: UsersDocument });
  const { canManageAccess, viewer } = useRights();
  const [edited, setEdited] = useState<UserFieldsFragment | 'new' | null>(null);
  const askAbout = useQuestions();
  const [only, ...others] = data?.users ?? [];
  const isAlone = only !== undefined && others.length === 0;
  const columns = useMemo(
    () =>
      userColumns(viewer.name, canManageAccess ? setEdited : undefined).filter(({ id }) => !isAlone || id !== 'may'),
    [viewer.name, canManageAccess, isAlone],
  );
  const actions = (user: UserFieldsFragment) => (
    <RowActions
      name={user.name}
      actions={[
        { text: t('access.keys'), label: t('access.keysOf', { user: user.name }), run: () => showKeys(user.name) },
        { text: t('access.edit'), label: t('access.editUser', { name: user.name }), run: () => setEdited(user) },
        {
          text: t('access.endSessions'),
          label: t('access.endSessionsOf', { name: user.name }),
          run: () => askAbout('end', user),
        },
        { text: t('access.delete'), run: () => askAbout('delete', user) },
      ]}
    />
  );
  return (
    <section tabIndex={-1} className="stack" aria-labelledby="users-title">
      <div className="page-head">
        <h2 id="users-title">{t('access.users')}</h2>
        {canManageAccess && <Button onClick={() => setEdited('new')}>{t('access.addUser')}</Button>}
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      {isAlone && <p>{t.rich('access.onlyUser', { name: only.name, may: roleText(only), strong })}</p>}
      {data === undefined && error === undefined && <Sketch />}
      {data !== undefined && (
        <Table
          label={t('access.users')}
          list={{ items: data.users }}
          columns={columns}
          actions={canManageAccess ? actions : undefined}
        />
      )}
      {edited !== null && (
        <UserForm user={edited === 'new' ? null : edited} close={() => setEdited(null)} issueKey={issueKey} />
      )}
    </section>
  );
}

const asks = {
  end: { document: EndSessionsDocument, title: 'access.endSessions', action: 'access.endSessions' },
  delete: { document: DeleteUserDocument, title: 'access.deleteUserTitle', action: 'access.deleteUser' },
} as const;

/** Asks before a user is deleted, or their sessions end. */
function useQuestions() {
  const client = useClient();
  const { viewer } = useRights();
  return (kind: keyof typeof asks, { id, name }: UserFieldsFragment): void => {
    const { document, title, action } = asks[kind];
    const run = async (): Promise<void> => {
      const { error } = await client.mutation<unknown, { id: number }>(document, { id });
      toastOutcome(error, t.rich(kind === 'end' ? 'access.sessionsEnded' : 'access.userDeleted', { name, bdi }));
    };
    const text = t(kind === 'end' ? 'access.endAbout' : 'access.deleteAbout', {
      name,
      isOwn: viewer.name === name ? 'yes' : 'no',
    });
    ask({ title: t(title), text, action: t(action), run: () => void run() });
  };
}
