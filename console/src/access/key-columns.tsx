import { formatUntil } from '../format/text.ts';
import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import type { KeyFieldsFragment } from './documents.generated.ts';

export const titleOf = ({ id, name }: KeyFieldsFragment): string => (name === '' ? `Key ${id}` : name);

const weekMs = 7 * 86_400_000;

interface KeyColumnsOptions {
  /** Whether keys of several users are listed. */
  readonly hasUser: boolean;
  /** The key of this session. */
  readonly ownId: number | undefined;
}

export const keyColumns = ({ hasUser, ownId }: KeyColumnsOptions): readonly Column<KeyFieldsFragment>[] => [
  ...(hasUser ? [userColumn] : []),
  {
    name: 'Key',
    width: 'minmax(0, 2fr)',
    isNarrow: hasUser,
    text: titleOf,
    cell: (apiKey) => (
      <>
        <strong>{titleOf(apiKey)}</strong> <code>{apiKey.prefix}…</code>{' '}
        {apiKey.id === ownId && <span className="badge">this browser</span>}
      </>
    ),
  },
  {
    name: 'State',
    width: 'minmax(0, 2fr)',
    isNarrow: true,
    cell: (apiKey) => <State {...apiKey} />,
  },
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt, 'never'),
  { ...timeColumn('Valid until', ({ expiresAt }) => expiresAt, 'no limit'), width: '9.5rem' },
  // The audit log shows keys by id.
  { name: 'Number', width: '4rem', look: 'number', cell: ({ id }) => id },
];

const userColumn: Column<KeyFieldsFragment> = {
  name: 'User',
  width: 'minmax(0, 1.5fr)',
  text: ({ user }) => user.name,
};

function State({ kind, readOnly, state, replacedBy, expiresAt }: KeyFieldsFragment) {
  const isActive = state === 'ACTIVE';
  const ends = isActive && expiresAt !== null ? `ends ${formatUntil(expiresAt)}` : null;
  const isReplaced = replacedBy !== null && ends !== null;
  const endsSoon = kind === 'KEY' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < weekMs;
  return (
    <>
      <span className={isActive && !isReplaced ? 'badge good' : 'badge'}>
        {isReplaced ? `replaced by key ${replacedBy}, ${ends}` : state.toLowerCase()}
      </span>{' '}
      {!isReplaced && endsSoon && ends !== null && <span className="badge warn">{ends}</span>}{' '}
      {kind === 'SESSION' && <span className="badge">session</span>}{' '}
      {readOnly && <span className="badge">read-only</span>}
    </>
  );
}
