import { useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { focusAfter } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { type Option, Select } from '../components/fields.tsx';
import { Sketch } from '../components/notices.tsx';
import { locale, t } from '../language/language.ts';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { RowActions } from '../table/row-actions.tsx';
import { Table } from '../table/table.tsx';
import { type KeyFieldsFragment, type KeyKind, type KeyState, KeysDocument } from './documents.generated.ts';
import { keyColumns, titleOf } from './key-columns.tsx';
import { KeyForm } from './key-form.tsx';
import { useKeyQuestions } from './key-questions.ts';
import { KeyShown } from './key-shown.tsx';

const states: readonly Option<KeyState | 'ANY'>[] = [
  ...(['ACTIVE', 'EXPIRED', 'REVOKED'] as const).map((value) => ({ value, text: t(`access.${value}`) })),
  { value: 'ANY', text: t('access.anyState') },
];

const kinds: readonly Option<KeyKind | 'ANY'>[] = [
  { value: 'ANY', text: t('access.keysAndSessions') },
  { value: 'KEY', text: t('access.keys') },
  { value: 'SESSION', text: t('access.sessions') },
];

/** Keys come before sessions, which are many. */
const byUserAndKind = (one: KeyFieldsFragment, other: KeyFieldsFragment): number =>
  one.user.name.localeCompare(other.user.name, locale) || one.kind.localeCompare(other.kind);

interface KeysProps {
  /** The name of the user whose keys are shown; `null` for those of all users, users by name. */
  readonly user: string | null;
  /** Whether a key is to be issued at once. */
  readonly issues: boolean;
  readonly showAll: () => void;
}

export function Keys({ user, issues, showAll }: KeysProps) {
  const [state, setState] = useState<KeyState | 'ANY'>('ACTIVE');
  const [kind, setKind] = useState<KeyKind | 'ANY'>('ANY');
  const [isIssuing, setIsIssuing] = useState(issues);
  const [edited, setEdited] = useState<KeyFieldsFragment | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const { askToRotate, askToRevoke } = useKeyQuestions(setShown);
  const { canAdminister, canManageKeys, viewer } = useRights();
  const { ownKeys } = useSession();
  const issueButton = useRef<HTMLButtonElement>(null);
  const filter = {
    ...(kind !== 'ANY' && { kind }),
    ...(state !== 'ANY' && { state }),
    ...(user !== null && { user }),
  };
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (user !== null) section.current?.focus();
  }, [user]);
  const [{ data, error }, reload] = useQuery({ query: KeysDocument, variables: { filter } });
  const ownId = viewer.key?.id;
  const title = t(canAdminister ? 'access.keys' : 'access.yourKeys');
  const columns = useMemo(() => keyColumns({ hasUser: canAdminister, ownId }), [canAdminister, ownId]);
  const items = useMemo(() => data?.apiKeys.toSorted(byUserAndKind) ?? [], [data]);
  const actions = (apiKey: KeyFieldsFragment) => {
    const isActive = apiKey.state === 'ACTIVE';
    return (
      <RowActions
        name={titleOf(apiKey)}
        actions={[
          { text: t('access.edit'), run: () => setEdited(apiKey) },
          {
            text: t('access.rotate'),
            run: () => askToRotate(apiKey),
            isOffered: isActive && apiKey.kind === 'KEY',
          },
          { text: t('access.revoke'), run: () => askToRevoke(apiKey), isOffered: isActive },
        ]}
      />
    );
  };
  return (
    <section ref={section} tabIndex={-1} className="stack" aria-labelledby="keys-title">
      <div className="page-head">
        <h2 id="keys-title">{user === null ? title : t('access.keysOf', { user })}</h2>
        <div className="actions">
          <p role="status" className="hint">
            {data === undefined
              ? error === undefined && t('common.loading')
              : t('access.keyCount', { count: items.length })}
          </p>
          {user !== null && <Button onClick={showAll}>{t('access.showAllKeys')}</Button>}
          <Select label={t('access.kind')} isLabelHidden value={kind} options={kinds} onChange={setKind} />
          <Select label={t('access.state')} isLabelHidden value={state} options={states} onChange={setState} />
          {canManageKeys && (canAdminister || ownKeys) && (
            <Button ref={issueButton} look="primary" onClick={() => setIsIssuing(true)}>
              {t('access.issueKey')}
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} />}
      {data === undefined && error === undefined && <Sketch />}
      {items.length > 0 && (
        <Table
          label={t('access.keys')}
          list={{ items }}
          columns={columns}
          actions={canManageKeys ? actions : undefined}
        />
      )}
      {isIssuing && <KeyForm apiKey={null} owner={user} close={() => setIsIssuing(false)} issued={setShown} />}
      {edited !== null && <KeyForm apiKey={edited} close={() => setEdited(null)} issued={setShown} />}
      {/* The previous dialog, which would get the focus back, is closed. */}
      {shown !== null && <KeyShown secret={shown} close={() => focusAfter(() => setShown(null), issueButton)} />}
    </section>
  );
}
