import { Fragment, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { Confirm } from '../components/confirm.tsx';
import { focusAfter } from '../components/focus.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { Select } from '../components/select.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { type KeyFieldsFragment, type KeyState, KeysDocument, RevokeKeyDocument } from './documents.generated.ts';
import { EditKey } from './edit-key.tsx';
import { IssueKey } from './issue-key.tsx';
import { KeyRow, type KeyTask, titleOf, useIsOwnKey } from './key-row.tsx';
import { KeyShown } from './key-shown.tsx';
import { RotateKey } from './rotate-key.tsx';

const states: readonly { readonly value: KeyState | 'ANY'; readonly text: string }[] = [
  { value: 'ACTIVE', text: 'Active' },
  { value: 'EXPIRED', text: 'Expired' },
  { value: 'REVOKED', text: 'Revoked' },
  { value: 'ANY', text: 'In any state' },
];

export function Keys() {
  const [state, setState] = useState<KeyState | 'ANY'>('ACTIVE');
  const [isIssuing, setIsIssuing] = useState(false);
  const [task, setTask] = useState<{ readonly kind: KeyTask; readonly apiKey: KeyFieldsFragment } | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const { canAdminister, canManageKeys } = useRights();
  const { ownKeys } = useSession();
  const section = useRef<HTMLElement>(null);
  const issueButton = useRef<HTMLButtonElement>(null);
  const filter = state === 'ANY' ? {} : { state };
  const [{ data, error }, reload] = useQuery({ query: KeysDocument, variables: { filter } });
  const close = (): void => setTask(null);
  // The previous dialog, which would get the focus back, is closed.
  const closeShown = (): void => focusAfter(() => setShown(null), issueButton);
  return (
    <section ref={section} tabIndex={-1} className="card" aria-labelledby="keys-title">
      <div className="page-head">
        <h2 id="keys-title">{canAdminister ? 'Keys' : 'Your keys and sessions'}</h2>
        <div className="actions">
          <Select label="State" isLabelHidden value={state} options={states} onChange={setState} />
          {canManageKeys && (canAdminister || ownKeys) && (
            <Button ref={issueButton} className="button primary" onPress={() => setIsIssuing(true)}>
              Issue key
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      <p role="status" className="hint">
        {data === undefined ? 'Loading…' : pluralize(data.apiKeys.length, 'key')}
      </p>
      <ul className="access-list">
        {byUser(data?.apiKeys ?? []).map(([user, keys]) => (
          <Fragment key={user.id}>
            {canAdminister && (
              <li>
                <h3 className="name-text">
                  {user.name} <span className="badge">{user.role?.toLowerCase() ?? 'no role'}</span>
                </h3>
              </li>
            )}
            {keys.map((apiKey) => (
              <KeyRow
                key={apiKey.id}
                apiKey={apiKey}
                canManage={canManageKeys}
                begin={(kind) => setTask({ kind, apiKey })}
                list={section}
              />
            ))}
          </Fragment>
        ))}
      </ul>
      {isIssuing && <IssueKey close={() => setIsIssuing(false)} issued={setShown} />}
      {task?.kind === 'edit' && <EditKey apiKey={task.apiKey} close={close} />}
      {task?.kind === 'rotate' && <RotateKey apiKey={task.apiKey} close={close} issued={setShown} />}
      {task?.kind === 'revoke' && <RevokeKey apiKey={task.apiKey} close={close} />}
      {shown !== null && <KeyShown secret={shown} close={closeShown} />}
    </section>
  );
}

/** The keys of each user, by name. */
function byUser(keys: readonly KeyFieldsFragment[]) {
  const users = new Map<number, [KeyFieldsFragment['user'], KeyFieldsFragment[]]>();
  for (const key of keys) {
    const [, known] = users.get(key.user.id) ?? [key.user, []];
    users.set(key.user.id, [key.user, [...known, key]]);
  }
  return [...users.values()].sort(([one], [other]) => one.name.localeCompare(other.name));
}

function RevokeKey({ apiKey, close }: { readonly apiKey: KeyFieldsFragment; readonly close: () => void }) {
  const [, revoke] = useMutation(RevokeKeyDocument);
  const title = titleOf(apiKey);
  const isOwn = useIsOwnKey(apiKey);
  const run = async (): Promise<void> => {
    const { error } = await revoke({ id: apiKey.id });
    toastOutcome(error, toastText`The key ${title} is revoked.`);
  };
  return (
    <Confirm title="Revoke a key" action="Revoke key" run={() => void run()} close={close}>
      Requests with {title} of {apiKey.user.name} are rejected from now on. This cannot be undone.
      {isOwn && ' This browser uses it: you then sign in again to go on.'}
    </Confirm>
  );
}
