import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Time } from '../format/time.tsx';
import { nameOfDay } from '../history/days.ts';
import { ChangeLogDocument, type ChangeLogQuery } from '../history/documents.generated.ts';
import { countsOf, describeAction } from '../history/feed.ts';
import { LastChange } from '../history/last-changes.tsx';
import { t } from '../language/language.ts';
import { ListBar } from '../list-bar/list-bar.tsx';
import { Earlier, ListState } from '../lists/list-state.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { dayAgo, dayOf } from '../search-parameters.ts';
import { changesFilters } from './filters.tsx';
import { OneChange } from './one-change.tsx';
import { type ChangesSearch, changesFilterOf, parseChangesSearch } from './search.ts';

const route = getRouteApi('/changes');

const rowsIn = ({ changeLog }: ChangeLogQuery) => ({
  ...changeLog,
  nodes: changeLog.nodes.map((row) => ({ ...row, id: row.changes[0]?.changeId ?? '' })),
});
type Row = ReturnType<typeof rowsIn>['nodes'][number];

/** Who changed what, by day. */
export function ChangesScreen() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/changes' });
  const go = (next: ChangesSearch): void => void navigate({ search: next });
  const periods = [
    [t('changes.today'), dayAgo(0), dayAgo(0)],
    [t('changes.yesterday'), dayAgo(1), dayAgo(1)],
    [t('changes.week'), dayAgo(6), dayAgo(0)],
  ] as const;
  return (
    <>
      <PageTitle text={t('shell.changes')} />
      <ListBar
        search={search}
        filters={changesFilters(search)}
        change={(changes) => go(parseChangesSearch({ ...search, ...changes }))}
        clear={() => go({})}
      >
        {periods.map(([text, since, until]) => (
          <Button
            key={text}
            look="quiet"
            aria-pressed={search.since === since && search.until === until}
            onClick={() => go({ ...search, since, until })}
          >
            {text}
          </Button>
        ))}
      </ListBar>
      {search.change === undefined ? <Days search={search} /> : <OneChange changeId={search.change} />}
    </>
  );
}

function Days({ search }: { readonly search: ChangesSearch }) {
  const list = usePageList(ChangeLogDocument, { filter: changesFilterOf(search) }, rowsIn);
  const { items, hasNext, isLoading, loadMore } = list;
  useRestoredScroll(list);
  useListChanges(list.pageCount <= 1, list.reload, () => true);
  const days = useMemo(() => byDay(items), [items]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  // A page may be empty though more follow.
  const goesOn = items.length === 0 && hasNext && !isLoading;
  useEffect(() => {
    if (goesOn) loadMore();
  }, [goesOn, loadMore]);
  return (
    <>
      <ListState list={list}>
        <EmptyState
          title={t('changes.none')}
          ways={[
            isFiltered && { to: '/changes', text: t('audit.dropFilters') },
            { to: '/programs', text: t('common.allPrograms') },
          ]}
        />
      </ListState>
      {Array.from(days, ([day, rows]) => (
        <section key={day} className="card" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{nameOfDay(rows[0]?.at ?? day)}</h2>
          <ol className="feed">
            {rows.map((row) => (
              <LogRow key={row.id} row={row} />
            ))}
          </ol>
        </section>
      ))}
      <Earlier list={list} />
    </>
  );
}

function byDay(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const day = dayOf(new Date(row.at));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return days;
}

function LogRow({ row }: { readonly row: Row }) {
  const [newest, ...others] = row.changes;
  if (newest === undefined) return null;
  if (others.length === 0) return <LastChange change={newest} />;
  return (
    <li>
      <details>
        <summary>
          <strong className="name-text">{row.actor}</strong> {describeAction(newest, countsOf(row))}{' '}
          <Time at={row.at} />
        </summary>
        <ol>
          {row.changes.map((change) => (
            <LastChange key={change.changeId} change={change} />
          ))}
        </ol>
      </details>
    </li>
  );
}
