import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../api/errors.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { Select } from '../components/select.tsx';
import { counted, Time } from '../components/time.tsx';
import { toast } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, type KeyState, KeysDocument, RevokeKeyDocument } from './documents.generated.ts';
import { IssueKey } from './issue-key.tsx';
import { KeyShown } from './key-shown.tsx';
import { RotateKey } from './rotate-key.tsx';

const states: readonly { readonly value: KeyState | 'ANY'; readonly text: string }[] = [
  { value: 'ACTIVE', text: 'Active' },
  { value: 'EXPIRED', text: 'Expired' },
  { value: 'REVOKED', text: 'Revoked' },
  { value: 'ANY', text: 'In any state' },
];

/** The keys, and what can be done with them. */
export function Keys() {
  const [state, setState] = useState<KeyState | 'ANY'>('ACTIVE');
  const [isIssuing, setIsIssuing] = useState(false);
  const [rotating, setRotating] = useState<KeyFieldsFragment | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const { canManageAccess } = useRights();
  const filter = state === 'ANY' ? {} : { state };
  const [{ data, error }, reload] = useQuery({ query: KeysDocument, variables: { filter } });
  return (
    <section className="card" aria-labelledby="keys-title">
      <div className="page-head">
        <h2 id="keys-title">Keys</h2>
        <div className="actions">
          <Select label="State" isLabelHidden value={state} options={states} onChange={setState} />
          {canManageAccess && (
            <Button className="button primary" onPress={() => setIsIssuing(true)}>
              Issue key
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      <p role="status" className="hint">
        {data === undefined ? 'Loading…' : counted(data.apiKeys.length, 'key')}
      </p>
      <ul className="access-list">
        {data?.apiKeys.map((key) => (
          <KeyRow key={key.id} apiKey={key} canManage={canManageAccess} rotate={() => setRotating(key)} />
        ))}
      </ul>
      {isIssuing && <IssueKey close={() => setIsIssuing(false)} issued={setShown} />}
      {rotating !== null && <RotateKey apiKey={rotating} close={() => setRotating(null)} issued={setShown} />}
      {shown !== null && <KeyShown secret={shown} close={() => setShown(null)} />}
    </section>
  );
}

interface KeyRowProps {
  readonly apiKey: KeyFieldsFragment;
  readonly canManage: boolean;
  readonly rotate: () => void;
}

function KeyRow({ apiKey, canManage, rotate }: KeyRowProps) {
  const { id, name, prefix, readOnly, state, expiresAt, lastUsedAt, user } = apiKey;
  const [, revoke] = useMutation(RevokeKeyDocument);
  const title = name === '' ? `Key ${id}` : name;
  return (
    <li>
      <div className="who">
        <p className="name-text">
          <strong>{title}</strong> of {user.name} <code>{prefix}…</code>{' '}
          <span className={state === 'ACTIVE' ? 'badge good' : 'badge bad'}>{state.toLowerCase()}</span>{' '}
          {readOnly && <span className="badge">read-only</span>}
        </p>
        <p className="hint">
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
      {canManage && state === 'ACTIVE' && (
        <div className="actions">
          <Button className="button" aria-label={`Rotate ${title}`} onPress={rotate}>
            Rotate
          </Button>
          <Button
            className="button quiet danger"
            aria-label={`Revoke ${title}`}
            onPress={async () => {
              const { error } = await revoke({ id });
              toast(error === undefined ? `${title} is revoked.` : describeError(error));
            }}
          >
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}
