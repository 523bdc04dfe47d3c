import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import type { UserFieldsFragment } from './documents.generated.ts';
import { mayDo } from './roles.ts';

const roleText = ({ role }: UserFieldsFragment): string => (role === null ? 'may do nothing' : mayDo[role]);

/** @param ownName The name of the signed-in user. */
export const userColumns = (ownName: string | null): readonly Column<UserFieldsFragment>[] => [
  {
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
  { name: 'Role', width: '5rem', isNarrow: true, cell: ({ role }) => role?.toLowerCase() ?? 'none' },
  { name: 'May do', width: 'minmax(0, 3fr)', look: 'quiet', text: roleText },
  { ...timeColumn('Added', ({ createdAt }) => createdAt), isNarrow: true },
];
