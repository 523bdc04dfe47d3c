import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { type UseQueryState, useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { codeOf } from '../api/errors.ts';
import { useRemoval } from '../bulk/use-removal.ts';
import { EmptyState } from '../components/notices.tsx';
import { Time } from '../format/time.tsx';
import type { Versioned } from '../forms/use-edit.ts';
import { useRights } from '../session/viewer.tsx';
import { DeletionDocument } from './documents.generated.ts';

interface RecordOrMissingProps<Shown extends Versioned> {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
  readonly record: Shown | null | undefined;
  /** From the response to an edit; shown until the record has been refetched. */
  readonly saved: Shown | null | undefined;
  readonly state: Pick<UseQueryState, 'error' | 'fetching'>;
  readonly refresh: () => Promise<unknown>;
  readonly children: (record: Shown, isDeleted: boolean) => ReactNode;
}

/** Shows a record. If somebody deletes it, its last state stays, with open forms. */
export function RecordOrMissing<Shown extends Versioned>(props: RecordOrMissingProps<Shown>): ReactNode {
  const { kind, id, record, saved, refresh, children } = props;
  const { error, fetching } = props.state;
  const lastKnown = useRef<Shown | null>(null);
  if (record) lastKnown.current = saved && saved.version > record.version ? saved : record;
  const last = lastKnown.current;
  const isDeleted = error !== undefined && codeOf(error) === 'NOT_FOUND';
  return (
    <>
      {isDeleted && <MissingRecord kind={kind} id={id} isPage={last === null} restored={() => void refresh()} />}
      {error !== undefined && !isDeleted && (last !== null || !fetching) && (
        <ErrorNotice error={error} retry={() => void refresh()} isShown={last !== null} />
      )}
      {last !== null && children(last, isDeleted)}
    </>
  );
}

interface MissingRecordProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
  /** Otherwise it is shown above the last state of the record. */
  readonly isPage: boolean;
  readonly restored: () => void;
}

const kinds = {
  PROGRAM: { name: 'Program', to: '/programs', all: 'All programs', about: 'It can be restored with its branches.' },
  BRANCH: { name: 'Branch', to: '/branches', all: 'All branches', about: 'It can be restored.' },
} as const;

/** Offers to restore a record that was deleted. */
function MissingRecord({ kind, id, isPage, restored }: MissingRecordProps) {
  const { name, to, all, about } = kinds[kind];
  const { canWrite } = useRights();
  const [{ data }] = useQuery({
    query: DeletionDocument,
    variables: { ids: [id], isProgram: kind === 'PROGRAM' },
    pause: !canWrite,
    requestPolicy: 'network-only',
  });
  const deleted = (data?.programsConnection ?? data?.branchesConnection)?.nodes[0];
  const { restore } = useRemoval(kind);
  const run = async (): Promise<void> => {
    if (await restore({ id, name: deleted?.name ?? `${name} ${id}` })) restored();
  };
  const canRestore = canWrite && (!isPage || deleted !== undefined);
  const why = data === undefined ? 'It was deleted, or never existed.' : 'It never existed.';
  return (
    <EmptyState isPage={isPage} isAlert={!isPage} title={`${name} ${id} ${isPage ? 'does not exist' : 'was deleted'}`}>
      <p>
        {!isPage && 'Below is its last state, with what you may have typed. '}
        {isPage && deleted === undefined && why}
        {isPage && typeof deleted?.deletedAt === 'string' && (
          <>
            It was deleted on <Time at={deleted.deletedAt} />.{' '}
          </>
        )}
        {canRestore && about}
      </p>
      <div className="actions">
        {canRestore && (
          <button type="button" className="button primary" onClick={() => void run()}>
            Restore it
          </button>
        )}
        <Link to={to} className="button">
          {all}
        </Link>
      </div>
    </EmptyState>
  );
}
