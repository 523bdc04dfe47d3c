import { type ReactNode, useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import type { UseQueryResponse } from 'urql';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import { type BulkAction, nouns } from '../bulk/words.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { isSimilar, Similar } from '../lists/matches.tsx';
import { describeSearch, type ListSearch, orderOf, sortedBy } from '../lists/search.ts';
import { SearchText } from '../lists/search-text.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useRights } from '../session/viewer.tsx';
import type { Column, Listed } from '../table/columns.ts';
import type { RowKind } from '../table/row.tsx';
import { Table } from '../table/table.tsx';
import { type Selection, useSelection } from '../table/use-selection.ts';
import type { FilterEditors, ListFilter } from './filters.ts';
import type { View } from './kept.ts';
import { ListBar } from './list-bar.tsx';
import { ListTools } from './list-tools.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';

interface RecordListProps<Row extends Listed, Search extends ListSearch> {
  readonly kind: RowKind;
  readonly placeholder: string;
  readonly search: Search;
  readonly filters: readonly ListFilter<Search>[];
  readonly loadEditors: () => Promise<FilterEditors<Search>>;
  /** Puts changes into the address. */
  readonly change: (changes: ListSearch | Search, replace?: boolean) => void;
  /** Puts a whole search into the address. */
  readonly open: (search: View['search']) => void;
  readonly list: UsedPageList<Row>;
  readonly total: number | undefined;
  /** The query that counts all records. */
  readonly count: UseQueryResponse<unknown>;
  /** All columns that it may have. */
  readonly columns: readonly Column<Row>[];
  /** The searched text of a record. */
  readonly searched: (row: Row) => string;
  readonly actions: readonly BulkAction[];
  /** Further buttons for the selected records. */
  readonly also?: (selection: Selection) => ReactNode;
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
}

/** A list as a tool: narrow, find, choose columns, select, change many, print. */
export function RecordList<Row extends Listed, Search extends ListSearch>(props: RecordListProps<Row, Search>) {
  const { kind, search, filters, change, list, total, columns: all, searched, empty } = props;
  const { canWrite } = useRights();
  const { many } = nouns[kind];
  const [count, recount] = props.count;
  const columns = useColumns(many, all, search.columns, (columns) => change({ columns }, true));
  const selection = useSelection(list.items, JSON.stringify({ ...search, columns: '', sort: '' }));
  useRestoredScroll(list);
  const reload = (): void => {
    list.reload();
    recount({ requestPolicy: 'network-only' });
  };
  const changed = useListChanges(list.pageCount <= 1, reload);
  const title = describeSearch(filters, search);
  const { q } = search;
  const areSimilar = useMemo(() => isSimilar(q, list.items.map(searched)), [q, list.items, searched]);
  return (
    <>
      <ListBar
        search={search}
        filters={filters}
        loadEditors={props.loadEditors}
        change={change}
        find={
          <SearchText
            placeholder={props.placeholder}
            value={q ?? ''}
            onChange={(text) => change({ q: text === '' ? undefined : text }, true)}
          />
        }
        {...(title !== '' && { clear: () => props.open({ columns: search.columns }) })}
      >
        <ListCount kind={kind} total={total} count={count} isPrevious={list.isPrevious} />
        <ListTools
          list={many}
          search={Object.fromEntries(Object.entries(search))}
          open={props.open}
          columns={all}
          {...columns}
          loadAll={list.loadAll}
        />
      </ListBar>
      {title !== '' && <p className="print-title name-text">{title}</p>}
      {changed.isBehind && (
        <div role="status" className="notice warn">
          <p>Records were created, deleted or loaded since you opened this list.</p>
          <Button className="button" onPress={changed.show}>
            Show the list as it is now
          </Button>
        </div>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={reload} />}
      {q !== undefined && areSimilar && !list.isPrevious && <Similar search={q} />}
      {list.items.length > 0 && (
        <Table
          label={many.charAt(0).toUpperCase() + many.slice(1)}
          list={list}
          columns={columns.shown}
          total={total}
          kind={kind}
          order={orderOf(search)}
          onOrder={(order) => change(sortedBy(order))}
          onColumns={columns.choose}
          {...(canWrite && { selection })}
        />
      )}
      {list.items.length === 0 && !list.isLoading && list.error === undefined && empty}
      <SelectionBar selection={selection} list={list} total={total} kind={kind}>
        <BulkActions kind={kind} selection={selection} actions={props.actions} changed={reload}>
          {props.also?.(selection)}
        </BulkActions>
      </SelectionBar>
    </>
  );
}
