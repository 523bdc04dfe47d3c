import { useEffect } from 'react';
import { Button } from 'react-aria-components/Button';
import { ErrorNotice } from '../components/notices.tsx';
import { Time } from '../format/time.tsx';
import type { PageListSnapshot } from '../lists/page-list.ts';
import { AuditChanges, verbFor } from './audit-changes.tsx';
import { useNames } from './use-names.ts';

interface Entry {
  readonly id: string;
  readonly action: string | null;
  readonly actor: string;
  readonly at: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface TimelineProps {
  readonly list: PageListSnapshot<Entry> & { readonly reload: () => void; readonly loadMore: () => void };
  /** A new version of the record has a new entry. */
  readonly version: number;
}

/** The history of a record, newest first. */
export function Timeline({ list, version }: TimelineProps) {
  const { reload } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has a new entry.
  useEffect(reload, [version, reload]);
  const nameOf = useNames(list.items);
  return (
    <section className="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      <ol className="timeline">
        {list.items.map(({ id, action, actor, at, before, after }) => (
          <li key={id}>
            <p>
              <strong>{verbFor(action)}</strong> by <span className="name-text">{actor}</span>, <Time at={at} />
            </p>
            <AuditChanges before={before} after={after} nameOf={nameOf} />
          </li>
        ))}
      </ol>
      {list.hasNext && (
        <Button className="button" isPending={list.isLoading} onPress={list.loadMore}>
          Show earlier changes
        </Button>
      )}
    </section>
  );
}
