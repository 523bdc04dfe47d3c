import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { UseQueryState } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { useClipboard } from '../cells/use-clipboard.tsx';
import { useGrid } from '../cells/use-grid.tsx';
import { Button, TaskButton } from '../components/button.tsx';
import { useAttributeColumns, type WithAttributes } from '../fields/attribute-columns.ts';
import { attributePrefix } from '../forms/attributes.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import { recordRoute } from '../links/record-link.tsx';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { ListState } from '../lists/list-state.tsx';
import { isSimilar, Similar } from '../lists/matches.tsx';
import { type ListSearch, orderTextOf, sortedBy } from '../lists/search.ts';
import { SearchText } from '../lists/search-text.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { PopupButton } from '../overlays/popup-button.tsx';
import { useRights } from '../session/viewer.tsx';
import { type Column, columnsOf, namesOf } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { ColumnsPopup } from './columns-popup.tsx';
import { ListBar } from './list-bar.tsx';
import { listNames, useKeptColumns } from './saved-views.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type RecordById, SidePanel, useIsWide } from './side-panel.tsx';
import { ViewsPopup } from './views-popup.tsx';

const printedMax = 5_000;

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
  readonly count: Pick<UseQueryState, 'error' | 'stale'>;
  /** All columns that it may have. Unchanged from one rendering to the next. */
  readonly columns: readonly Column<Row>[];
  /** The cells of a file that name a record. */
  readonly recordOf: (row: Row) => Readonly<Record<string, string | number>>;
  /** The searched text of a record. */
  readonly searched: (row: Row) => string;
  /** What else the search finds. */
  readonly answers?: ReactNode;
  readonly empty: ReactNode;
}

/** A list as a tool: narrow, find, choose columns, select, change many, print. */
export function RecordList<Row extends ListedRecord>(props: RecordListProps<Row>) {
  const { kind, search, filters, parse, total, count, columns: own, recordOf, searched, empty } = props;
  const { canWrite } = useRights();
  const { grid, items } = useGrid(kind, props.list.items);
  const list = { ...props.list, items };
  const name = listNames[kind];
  const navigate = useNavigate();
  const go = (next: (previous: Search) => Search, options?: NavigateOptions): void =>
    void navigate({ to: `/${name}`, search: (previous) => parse({ ...next(previous) }), ...options });
  const change = (changes: Search, options?: NavigateOptions): void =>
    go((previous) => ({ ...previous, ...changes }), options);
  const open = (view: Search): void => go(() => view);
  const kept = useKeptColumns(name);
  // Those of the address, else those stored on this device, else the default.
  const names = search.columns ?? kept.columns;
  const attributes = useAttributeColumns<Row>(kind, names);
  const all = useMemo(() => [...own, ...attributes], [own, attributes]);
  const shown = useMemo(() => columnsOf(all, names), [all, names]);
  const showColumns = (columns: string | undefined): void => {
    kept.keep(columns);
    change({ columns }, { replace: true });
  };
  const choose = (chosen: readonly Column<Row>[] | null): void =>
    showColumns(chosen === null ? undefined : namesOf(chosen));
  const { beside, ...view } = search;
  const selection = useSelection(items, JSON.stringify({ ...view, columns: '', sort: '', sortKey: '' }), list.gapAt);
  // A record beside the list takes the room of the other columns.
  const roomy = useMemo(
    () => shown.filter(({ isNarrow, isExtra }, at) => at === 0 || isNarrow || isExtra).slice(0, 3),
    [shown],
  );
  const isWide = useIsWide();
  const columns = beside !== undefined && isWide ? roomy : shown;
  const clipboard = useClipboard({
    kind,
    items,
    loadAll: list.loadAll,
    columns,
    selected: selection.ids,
    canWrite,
    recordOf,
    ...(kind === 'PROGRAM' && { owner: {} }),
  });
  useRestoredScroll(list);
  const { reload } = list;
  const changed = useListChanges(list.pageCount <= 1, reload);
  const show = (id: number | undefined): void => change({ beside: id }, { replace: true, resetScroll: false });
  const { q } = search;
  const areSimilar = useMemo(() => isSimilar(q, items.map(searched)), [q, items, searched]);
  useEffect(() => {
    if (beside !== undefined && !isWide) void navigate({ ...recordRoute(kind, beside), replace: true });
  }, [beside, isWide, kind, navigate]);
  const print = () => list.loadAll(printedMax).then(() => window.print());
  const isCounting = count.error === undefined && (total === undefined || (count.stale && list.isPrevious));
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
        <p role="status" className="hint">
          {isCounting ? t('listBar.counting') : total !== undefined && t('common.count', { kind, count: total })}
        </p>
        <PopupButton text={t('listBar.views')} className="button quiet">
          {(close) => <ViewsPopup list={name} search={view} open={open} close={close} />}
        </PopupButton>
        <PopupButton text={t('listBar.columns')} className="button quiet">
          {(close) => (
            <ColumnsPopup
              columns={all}
              shown={shown}
              add={(key) => {
                showColumns(`${namesOf(shown)},${attributePrefix}${key}`);
                close();
              }}
              choose={choose}
            />
          )}
        </PopupButton>
        <TaskButton look="quiet" busyText={t('listBar.loadingAll')} run={print}>
          {t('listBar.print')}
        </TaskButton>
      </ListBar>
      {changed.isBehind && (
        <div role="status" className="notice warn">
          <p>{t('listBar.behind')}</p>
          <Button onClick={changed.show}>{t('listBar.showNow')}</Button>
        </div>
      )}
      {props.answers}
      {q !== undefined && areSimilar && !list.isPrevious && <Similar kind={kind} search={q} />}
      <ListState list={list}>{empty}</ListState>
      {items.length > 0 && (
        <Table
          label={t('common.many', { kind })}
          list={list}
          columns={columns}
          total={total}
          kind={kind}
          order={orderTextOf(search)}
          onOrder={(order) => change(sortedBy(order))}
          {...(beside === undefined && { onColumns: choose })}
          {...(canWrite && { selection })}
          grid={grid}
          sidePanel={isWide ? { id: beside, show } : undefined}
        />
      )}
      {clipboard}
      {selection.ids.size > 0 && (
        <SelectionBar kind={kind} selection={selection} list={list} total={total} changed={reload} />
      )}
      {beside !== undefined && isWide && (
        <SidePanel kind={kind} id={beside} View={props.View} close={() => show(undefined)} />
      )}
    </>
  );
}
