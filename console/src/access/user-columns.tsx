import { Time } from '../format/time.tsx';
import type { Column } from '../table/columns.ts';
import type { UserFieldsFragment } from './documents.generated.ts';
import { mayDo } from './roles.ts';

const roleText = ({ role }: UserFieldsFragment): string => (role === null ? 'may do nothing' : mayDo[role]);

/** @param ownName The name of the signed-in user. */
export const userColumns = (ownName: string | null): readonly Column<UserFieldsFragment>[] => [
  {
    id: 'name',
    name: 'Name',
    width: 'minmax(0, 2fr)',
    text: ({ name }) => name,
    cell: ({ name, disabled }) => (
      <>
        <strong>{name}</strong> {name === ownName && <span className="badge">you</span>}{' '}
        {disabled && <span className="badge bad">disabled</span>}
      </>
    ),
  },
  { id: 'role', name: 'Role', width: '5rem', isNarrow: true, cell: ({ role }) => role?.toLowerCase() ?? 'none' },
  { id: 'mayDo', name: 'May do', width: 'minmax(0, 3fr)', look: 'quiet', text: roleText },
  {
    id: 'created',
    name: 'Added',
    width: '9.5rem',
    look: 'quiet',
    isNarrow: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
