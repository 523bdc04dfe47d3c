import { type RefObject, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { usePassFocus } from '../components/focus.ts';
import { Time } from '../format/time.tsx';
import { useSession } from '../session/session.ts';
import type { KeyFieldsFragment } from './documents.generated.ts';

export type KeyTask = 'edit' | 'rotate' | 'revoke';

export const titleOf = ({ id, name }: KeyFieldsFragment): string => (name === '' ? `Key ${id}` : name);

/** Whether it is the key of this tab. The service shows only its prefix. */
export const useIsOwnKey = ({ prefix }: KeyFieldsFragment): boolean => useSession().key.startsWith(prefix);

interface KeyRowProps {
  readonly apiKey: KeyFieldsFragment;
  readonly canManage: boolean;
  readonly begin: (task: KeyTask) => void;
  /** Gets the focus when the row is removed. */
  readonly list: RefObject<HTMLElement | null>;
}

export function KeyRow({ apiKey, canManage, begin, list }: KeyRowProps) {
  const { id, name, prefix, readOnly, state, expiresAt, lastUsedAt, user } = apiKey;
  const row = useRef<HTMLLIElement>(null);
  usePassFocus(row, list);
  const title = titleOf(apiKey);
  const isOwn = useIsOwnKey(apiKey);
  return (
    <li ref={row}>
      <div className="who">
        <p className="name-text">
          <strong>{title}</strong> of {user.name} <code>{prefix}…</code>{' '}
          <span className={state === 'ACTIVE' ? 'badge good' : 'badge bad'}>{state.toLowerCase()}</span>{' '}
          {readOnly && <span className="badge">read-only</span>}{' '}
          {isOwn && <span className="badge">used by this tab</span>}
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
        <div className="actions">
          <Button className="button" aria-label={`Edit ${title}`} onPress={() => begin('edit')}>
            Edit
          </Button>
          {state === 'ACTIVE' && (
            <>
              <Button className="button" aria-label={`Rotate ${title}`} onPress={() => begin('rotate')}>
                Rotate
              </Button>
              <Button className="button quiet danger" aria-label={`Revoke ${title}`} onPress={() => begin('revoke')}>
                Revoke
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  );
}
