import { formatUntil } from '../format/text.ts';
import { t } from '../language/language.ts';
import { browserName } from '../session/browser-name.ts';
import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import type { KeyFieldsFragment } from './documents.generated.ts';

export const titleOf = ({ id, name }: KeyFieldsFragment): string =>
  name === '' ? t('access.keyNumber', { id: String(id) }) : browserName(name);

const weekMs = 7 * 86_400_000;

/** When a key stops working, as things are. */
const endOf = ({ expiresAt, signInUntil }: KeyFieldsFragment): string | null =>
  [expiresAt, signInUntil].filter((end) => end !== null).sort()[0] ?? null;

interface KeyColumnsOptions {
  /** Whether keys of several users are listed. */
  readonly hasUser: boolean;
  /** The key of this session. */
  readonly ownId: number | undefined;
}

export const keyColumns = ({ hasUser, ownId }: KeyColumnsOptions): readonly Column<KeyFieldsFragment>[] => [
  ...(hasUser ? [userColumn] : []),
  {
    id: 'key',
    name: t('access.key'),
    // A session of this browser takes one line.
    width: 'minmax(0, 3.5fr)',
    isNarrow: hasUser,
    text: titleOf,
    cell: (apiKey) => (
      <>
        <strong>{titleOf(apiKey)}</strong> <code>{apiKey.prefix}…</code>{' '}
        {apiKey.id === ownId && <span className="badge">{t('access.thisBrowser')}</span>}
      </>
    ),
  },
  {
    id: 'state',
    name: t('access.state'),
    width: 'minmax(0, 2fr)',
    isNarrow: true,
    cell: (apiKey) => <State apiKey={apiKey} isOwn={!hasUser} />,
  },
  timeColumn('used', t('access.lastUsed'), ({ lastUsedAt }) => lastUsedAt, t('access.never')),
  {
    ...timeColumn('until', t('access.validUntil'), endOf, t('access.noLimit')),
    width: '9.5rem',
  },
  // The audit log shows keys by id.
  { id: 'number', name: t('field.number'), width: '4rem', look: 'number', cell: ({ id }) => id },
];

const userColumn: Column<KeyFieldsFragment> = {
  id: 'user',
  name: t('access.user'),
  width: 'minmax(0, 1fr)',
  text: ({ user }) => user.name,
};

const stateTexts = { ACTIVE: 'access.active', EXPIRED: 'access.expired', REVOKED: 'access.revoked' } as const;

/** That a key needs a sign-in of its user, soon or to work again. */
function signInNote({ apiKey, isOwn }: StateProps): string | null {
  const { state, expiresAt, signInUntil } = apiKey;
  const who = { user: apiKey.user.name, isOwn: isOwn ? 'yes' : 'no' };
  if (signInUntil === null || state === 'REVOKED') return null;
  const [isOver, leftMs] = [
    expiresAt !== null && Date.parse(expiresAt) <= Date.now(),
    Date.parse(signInUntil) - Date.now(),
  ];
  if (state === 'EXPIRED') return isOver ? null : t('access.needsSignIn', who);
  return leftMs < 2 * weekMs ? t('access.endsUnlessSignIn', { when: formatUntil(signInUntil), ...who }) : null;
}

interface StateProps {
  readonly apiKey: KeyFieldsFragment;
  /** Whether it is a key of the reader. */
  readonly isOwn: boolean;
}

function State({ apiKey, isOwn }: StateProps) {
  const { kind, readOnly, state, replacedBy, expiresAt } = apiKey;
  const note = kind === 'KEY' ? signInNote({ apiKey, isOwn }) : null;
  const isActive = state === 'ACTIVE';
  const when = isActive && expiresAt !== null ? formatUntil(expiresAt) : null;
  const isReplaced = replacedBy !== null && when !== null;
  const endsSoon = kind === 'KEY' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < weekMs;
  return (
    <>
      <span className={isActive && !isReplaced ? '' : 'badge'}>
        {when !== null && isReplaced ? t('access.replaced', { id: String(replacedBy), when }) : t(stateTexts[state])}
      </span>{' '}
      {!isReplaced && endsSoon && when !== null && <span className="badge warn">{t('access.ends', { when })}</span>}{' '}
      {note !== null && <span className="badge warn">{note}</span>}{' '}
      {kind === 'SESSION' && <span className="badge">{t('access.session')}</span>}{' '}
      {readOnly && <span className="badge">{t('access.readOnly')}</span>}
    </>
  );
}
