import { type ReactNode, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient, useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { codeOf } from '../api/errors.ts';
import { useRemoval } from '../bulk/use-removal.ts';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Time } from '../format/time.tsx';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { DeletionDocument } from './documents.generated.ts';
import { TypedValues } from './typed-values.tsx';

interface RecordOrMissingProps<Data, Variables, Shown extends Versioned> extends RecordReference {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  readonly recordIn: (data: Data) => Shown | null | undefined;
  /** From the response to an edit; shown until the record has been refetched. */
  readonly saved: Shown | null | undefined;
  /** `refresh` reads the record as it is now. */
  readonly children: (record: Shown, isDeleted: boolean, refresh: () => Promise<Shown | undefined>) => ReactNode;
}

/** Shows a record, live. If somebody deletes it, its last state stays, with open forms. */
export function RecordOrMissing<Data, Variables extends AnyVariables, Shown extends Versioned>(
  props: RecordOrMissingProps<Data, Variables, Shown>,
): ReactNode {
  const { kind, id, query, variables, recordIn, saved, children } = props;
  const client = useClient();
  const [{ data, error, fetching }] = useQuery({ query, variables });
  const refresh = async () => {
    const now = await client.query(query, variables, { requestPolicy: 'network-only' });
    return (now.data && recordIn(now.data)) ?? undefined;
  };
  const record = data && recordIn(data);
  const lastKnown = useRef<Shown | null>(null);
  if (record) lastKnown.current = saved && saved.version > record.version ? saved : record;
  const last = lastKnown.current;
  const isDeleted = error !== undefined && codeOf(error) === 'NOT_FOUND';
  return (
    <>
      {isDeleted && <MissingRecord kind={kind} id={id} isPage={last === null} restored={() => void refresh()} />}
      {isDeleted && last === null && <TypedValues kind={kind} id={id} />}
      {error !== undefined && !isDeleted && (last !== null || !fetching) && (
        <ErrorNotice error={error} retry={() => void refresh()} isShown={last !== null} isPage />
      )}
      {last === null && error === undefined && (
        <>
          <PageTitle text={t('records.recordNumber', { kind, id: String(id) })} />
          <Sketch />
        </>
      )}
      {last !== null && children(last, isDeleted, refresh)}
    </>
  );
}

interface MissingRecordProps extends RecordReference {
  /** Otherwise it is shown above the last state of the record. */
  readonly isPage: boolean;
  readonly restored: () => void;
}

/** Offers to restore a record that was deleted. */
function MissingRecord({ kind, id, isPage, restored }: MissingRecordProps) {
  const { canWrite } = useRights();
  const [{ data }] = useQuery({
    query: DeletionDocument,
    variables: { ids: [id], isProgram: kind === 'PROGRAM' },
    pause: !canWrite,
    requestPolicy: 'network-only',
  });
  const found = (data?.programsConnection ?? data?.branchesConnection)?.nodes[0];
  // One that is deleted no more is about to be shown.
  const last = useRef(found);
  last.current = found ?? last.current;
  const deleted = last.current;
  const deletedAt = deleted?.deletedAt;
  const { restore } = useRemoval(kind);
  const run = async (): Promise<void> => {
    if (await restore({ id, name: deleted?.name ?? t('records.recordNumber', { kind, id: String(id) }) })) restored();
  };
  const canRestore = canWrite && (!isPage || deleted !== undefined);
  const why = t(data === undefined ? 'records.deletedOrNever' : 'records.never');
  return (
    <EmptyState
      isPage={isPage}
      isAlert={!isPage}
      title={t('records.missing', { kind, id: String(id), isPage: isPage ? 'yes' : 'no' })}
      about={
        <>
          {!isPage && `${t('records.lastState')} `}
          {isPage && deleted === undefined && why}
          {isPage && typeof deletedAt === 'string' && (
            <>{t.rich('records.deletedOn', { time: () => <Time at={deletedAt} /> })} </>
          )}
          {canRestore && t('records.canRestore', { kind })}
        </>
      }
      ways={[
        canRestore && { text: t('records.restoreIt'), run: () => void run() },
        kind === 'PROGRAM'
          ? { to: '/programs', text: t('common.allPrograms') }
          : { to: '/branches', text: t('common.allBranches') },
      ]}
    />
  );
}
