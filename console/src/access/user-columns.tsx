import { t } from '../language/language.ts';
import type { Column } from '../table/columns.ts';
import { RowOpener } from '../table/row-actions.tsx';
import { timeColumn } from '../table/time-column.tsx';
import type { UserFieldsFragment } from './documents.generated.ts';
import { mayDo } from './roles.ts';

export const roleText = ({ role }: UserFieldsFragment): string =>
  role === null ? t('access.mayNothing') : mayDo(role);

/** @param ownName The name of the signed-in user. */
export const userColumns = (
  ownName: string | null,
  edit: ((user: UserFieldsFragment) => void) | undefined,
): readonly Column<UserFieldsFragment>[] => [
  {
    id: 'name',
    name: t('field.name'),
    width: 'minmax(0, 2fr)',
    text: ({ name }) => name,
    cell: (user) => (
      <>
        {edit === undefined ? (
          <strong>{user.name}</strong>
        ) : (
          <RowOpener open={() => edit(user)}>
            <strong>{user.name}</strong>
          </RowOpener>
        )}{' '}
        {user.name === ownName && <span className="badge">{t('access.you')}</span>}{' '}
        {user.disabled && <span className="badge bad">{t('access.disabled')}</span>}
      </>
    ),
  },
  {
    id: 'role',
    name: t('access.role'),
    width: 'minmax(6.5rem, 1fr)',
    isNarrow: true,
    cell: ({ role, roleFromClaims }) => (
      <>
        {t(`role.${role ?? 'none'}`)} {roleFromClaims && <span className="badge">{t('access.fromSignIn')}</span>}
      </>
    ),
  },
  { id: 'may', name: t('access.mayDo'), width: 'minmax(0, 3fr)', look: 'quiet', text: roleText },
  { ...timeColumn('added', t('access.added'), ({ createdAt }) => createdAt), isNarrow: true },
];
