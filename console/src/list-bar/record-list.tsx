import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import type { CatalogChange, RecordKind } from '../api/event-stream.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { useGrid } from '../cells/use-grid.tsx';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { loadable } from '../components/screen-error.tsx';
import type { WithAttributes } from '../fields/attribute-columns.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { ListState } from '../lists/list-state.tsx';
import { Similar } from '../lists/matches.tsx';
import { type ListSearch, orderTextOf, sortedBy } from '../lists/search.ts';
import { SearchText } from '../lists/search-text.tsx';
import { movesRecords, useListChanges } from '../lists/use-list-changes.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useClipboard } from '../paste/use-clipboard.tsx';
import { useRights } from '../session/viewer.tsx';
import type { Column } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { ListBar } from './list-bar.tsx';
import { ListTools } from './list-tools.tsx';
import { listNames } from './saved-views.ts';
import { type RecordById, SidePanel, useIsWide } from './side-panel.tsx';
import { useChosenColumns } from './use-chosen-columns.ts';

/** What can be done with a selection: no part of the first load, and there before anything can be selected. */
const loadSelectionBar = async () => (await import('./selection-bar.tsx')).SelectionBar;
const SelectionBar = lazy(loadable(loadSelectionBar));

const prepareSelectionBar = (): void => void loadSelectionBar().catch(() => undefined);

type ListedRecord = Versioned & WithAttributes;

interface NavigateOptions {
  readonly replace?: boolean;
  readonly resetScroll?: boolean;
}

interface RecordListProps<Row extends ListedRecord> {
  readonly kind: RecordKind;
  readonly placeholder: string;
  /** Shows a record beside the list. */
  readonly View: RecordById;
  readonly search: ListSearch;
  readonly filters: readonly ListFilter[];
  /** Reads a search as the address has it. */
  readonly parse: (search: Record<string, unknown>) => Search;
  readonly list: UsedPageList<Row>;
  readonly total: number | undefined;
  readonly count: ComponentProps<typeof ListTools>['count'];
  /** All columns that it may have. Unchanged from one rendering to the next. */
  readonly columns: readonly Column<Row>[];
  /** The searched text of a record. */
  readonly searched: (row: Row) => string;
  /** What else the search finds. */
  readonly answers?: ReactNode;
  readonly empty: ReactNode;
}

/** A list as a tool: narrow, find, choose columns, select, change many, print. */
export function RecordList<Row extends ListedRecord>(props: RecordListProps<Row>) {
  const { kind, search, filters, parse, total } = props;
  const { canWrite } = useRights();
  const navigate = useNavigate();
  const go = (next: (previous: Search) => Search, options?: NavigateOptions): void =>
    void navigate({ to: `/${listNames[kind]}`, search: (previous) => parse({ ...next(previous) }), ...options });
  const change = (changes: Search, options?: NavigateOptions): void =>
    go((previous) => ({ ...previous, ...changes }), options);
  const open = (view: Search): void => go(() => view);
  const { grid, items, seenIn } = useGrid(kind, props.list.items);
  const list = { ...props.list, items };
  const { beside, ...view } = search;
  const { q } = search;
  const isWide = useIsWide();
  const show = (id: number | undefined): void => change({ beside: id }, { replace: true, resetScroll: false });
  const chosen = useChosenColumns({
    kind,
    own: props.columns,
    names: search.columns,
    change: (changes) => change(changes, { replace: true }),
  });
  // A record beside the list takes the room of the other columns.
  const columns = beside !== undefined && isWide ? chosen.narrow : chosen.shown;
  const selection = useSelection(items, JSON.stringify({ ...view, columns: '', sort: '', sortKey: '' }), list.gapAt);
  const clipboard = useClipboard({
    kind,
    grid,
    list,
    columns,
    selected: selection.ids,
    canWrite,
    seenIn,
    ...(kind === 'PROGRAM' && { owner: {} }),
  });
  useRestoredScroll(list);
  usePageEvent('keydown', prepareSelectionBar);
  usePageEvent('pointermove', prepareSelectionBar);
  const idIn = ({ programId, branchId }: CatalogChange) => (kind === 'PROGRAM' ? programId : branchId);
  const isBack = (event: CatalogChange): boolean => list.hasLost(idIn(event) ?? -1);
  const isAbsent = (event: CatalogChange): boolean => {
    const changed = idIn(event);
    return changed !== null && !props.list.items.some(({ id }) => id === changed);
  };
  // Somebody who has scrolled down is asked before others’ changes move the rows.
  const { isBehind, show: showNow } = useListChanges(
    list.pageCount <= 1,
    list.reload,
    (event) => movesRecords(event) || isBack(event),
    isAbsent,
  );
  return (
    <>
      <ListBar
        search={search}
        filters={filters}
        change={change}
        isAny={search.match === 'any'}
        find={
          <SearchText
            placeholder={props.placeholder}
            value={q ?? ''}
            onChange={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
          />
        }
        clear={() => open({ columns: search.columns })}
        printed={total === undefined ? '' : t('common.count', { kind, count: total })}
      >
        <ListTools {...{ kind, list, total, open }} search={view} count={props.count} columns={chosen} />
      </ListBar>
      {isBehind && (
        <Notice role="status" action={<Button onClick={showNow}>{t('listBar.showNow')}</Button>}>
          {t('listBar.behind')}
        </Notice>
      )}
      {props.answers}
      {q !== undefined && !list.isPrevious && (
        <Similar kind={kind} search={q} items={items} searched={props.searched} />
      )}
      <ListState list={list}>{props.empty}</ListState>
      {items.length > 0 && (
        <Table
          label={t('common.many', { kind })}
          list={list}
          columns={columns}
          total={total}
          kind={kind}
          order={orderTextOf(search)}
          onOrder={(order) => change(sortedBy(order))}
          {...(beside === undefined && { onColumns: chosen.choose })}
          {...(canWrite && { selection })}
          grid={grid}
          sidePanel={isWide ? { id: beside, show } : undefined}
        />
      )}
      {clipboard}
      {selection.ids.size > 0 && (
        <Suspense>
          <SelectionBar kind={kind} selection={selection} list={list} total={total} changed={list.reload} />
        </Suspense>
      )}
      {beside !== undefined && <SidePanel kind={kind} id={beside} View={props.View} close={() => show(undefined)} />}
    </>
  );
}
