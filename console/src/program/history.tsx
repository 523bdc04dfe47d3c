import { useEffect } from 'react';
import { Button } from 'react-aria-components/Button';
import { usePageList } from '../api/use-page-list.ts';
import { AuditChanges } from '../components/audit-changes.tsx';
import { ErrorNotice } from '../components/notices.tsx';
import { Time } from '../components/time.tsx';
import { ProgramHistoryDocument, type ProgramHistoryQuery } from './documents.generated.ts';

const connectionIn = ({ program }: ProgramHistoryQuery) => program?.history;

/** Who changed what from what to what, and when; for those who may edit it. A new version is a new entry. */
export function ProgramHistory({ id, version }: { readonly id: number; readonly version: number }) {
  const list = usePageList(ProgramHistoryDocument, { id, first: 10 }, connectionIn);
  const { reload } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for what changed.
  useEffect(reload, [version, reload]);
  return (
    <section className="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {list.error !== undefined && <ErrorNotice error={list.error} retry={list.reload} />}
      <ol className="timeline">
        {list.items.map(({ id: entry, action, actor, at, before, after }) => (
          <li key={entry}>
            <p>
              <strong>{action?.toLowerCase() ?? 'changed'}</strong> by <span className="name-text">{actor}</span>,{' '}
              <Time at={at} />
            </p>
            <AuditChanges before={before} after={after} />
          </li>
        ))}
      </ol>
      {list.hasNext && (
        <Button className="button" onPress={list.loadMore}>
          Show earlier changes
        </Button>
      )}
    </section>
  );
}
