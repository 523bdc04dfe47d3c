import { type RefObject, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { usePassFocus } from '../components/focus.ts';
import { formatUntil } from '../format/text.ts';
import { Time } from '../format/time.tsx';
import { useRights } from '../session/viewer.tsx';
import type { KeyFieldsFragment } from './documents.generated.ts';

export type KeyTask = 'edit' | 'rotate' | 'revoke';

export const titleOf = ({ id, name }: KeyFieldsFragment): string => (name === '' ? `Key ${id}` : name);

/** Whether it is the session of this browser. */
export const useIsOwnKey = ({ id }: KeyFieldsFragment): boolean => useRights().viewer.key?.id === id;

const weekMs = 7 * 86_400_000;

/** Whether it is a key that its holder should rotate within a week. */
const expiresSoon = ({ kind, state, replacedBy, expiresAt }: KeyFieldsFragment): boolean =>
  kind === 'KEY' &&
  state === 'ACTIVE' &&
  replacedBy === null &&
  expiresAt !== null &&
  Date.parse(expiresAt) - Date.now() < weekMs;

interface KeyRowProps {
  readonly apiKey: KeyFieldsFragment;
  readonly canManage: boolean;
  readonly begin: (task: KeyTask) => void;
  /** Gets the focus when the row is removed. */
  readonly list: RefObject<HTMLElement | null>;
}

export function KeyRow({ apiKey, canManage, begin, list }: KeyRowProps) {
  const { id, name, prefix, kind, readOnly, state, replacedBy, expiresAt, lastUsedAt } = apiKey;
  const isReplaced = replacedBy !== null && state === 'ACTIVE';
  const row = useRef<HTMLLIElement>(null);
  usePassFocus(row, list);
  const title = titleOf(apiKey);
  const isOwn = useIsOwnKey(apiKey);
  return (
    <li ref={row}>
      <div className="who">
        <p className="name-text">
          <strong>{title}</strong> <code>{prefix}…</code>{' '}
          {isReplaced && expiresAt !== null ? (
            <span className="badge">
              replaced by key {replacedBy}, ends {formatUntil(expiresAt)}
            </span>
          ) : (
            <span className={state === 'ACTIVE' ? 'badge good' : 'badge'}>{state.toLowerCase()}</span>
          )}{' '}
          {kind === 'SESSION' && <span className="badge">session</span>}{' '}
          {readOnly && <span className="badge">read-only</span>}{' '}
          {expiresSoon(apiKey) && expiresAt !== null && (
            <span className="badge warn">ends {formatUntil(expiresAt)}: rotate it</span>
          )}{' '}
          {isOwn && <span className="badge">this browser</span>}
        </p>
        <p className="hint">
          {/* The audit log shows keys by id. */}
          {name !== '' && `key ${id} · `}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={lastUsedAt} />
            </>
          )}
          {' · '}
          {expiresAt === null ? (
            'no expiry'
          ) : (
            <>
              valid until <Time at={expiresAt} />
            </>
          )}
        </p>
      </div>
      {canManage && (
        <div className="actions row-actions">
          <Button className="button quiet" aria-label={`Edit ${title}`} onPress={() => begin('edit')}>
            Edit
          </Button>
          {state === 'ACTIVE' && kind === 'KEY' && (
            <Button className="button quiet" aria-label={`Rotate ${title}`} onPress={() => begin('rotate')}>
              Rotate
            </Button>
          )}
          {state === 'ACTIVE' && (
            <Button className="button quiet" aria-label={`Revoke ${title}`} onPress={() => begin('revoke')}>
              Revoke
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
