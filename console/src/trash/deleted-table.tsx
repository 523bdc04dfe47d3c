import { useRemoval } from '../bulk/use-removal.ts';
import { nouns } from '../bulk/words.ts';
import { SelectionBar } from '../list-bar/selection-bar.tsx';
import type { UsedPageList } from '../lists/use-page-list.ts';
import type { Listed } from '../table/columns.ts';
import type { RowKind } from '../table/row.tsx';
import { Table, type TableProps } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';

interface DeletedTableProps<Row extends Listed>
  extends Pick<TableProps<Row>, 'columns' | 'total' | 'order' | 'onOrder'> {
  readonly kind: RowKind;
  readonly list: UsedPageList<Row>;
  readonly search: string;
  readonly reload: () => void;
}

/** Deleted records of a kind, which come back one by one, or many at once. */
export function DeletedTable<Row extends Listed>(props: DeletedTableProps<Row>) {
  const { kind, list, total, search, reload, ...table } = props;
  const { many } = nouns[kind];
  const selection = useSelection(list.items, search);
  const { restore } = useRemoval(kind);
  // An event of the restored record reloads the list.
  const actions = (row: Row) => (
    <button type="button" className="button" aria-label={`Restore ${row.name}`} onClick={() => void restore(row)}>
      Restore
    </button>
  );
  if (list.items.length === 0 && !list.hasNext) return null;
  return (
    <section tabIndex={-1} className="stack" aria-label={`Deleted ${many}`}>
      <h2>{many.charAt(0).toUpperCase() + many.slice(1)}</h2>
      <Table label={`Deleted ${many}`} list={list} total={total} selection={selection} actions={actions} {...table} />
      {selection.ids.size > 0 && (
        <SelectionBar kind={kind} selection={selection} list={list} total={total} isDeleted changed={reload} />
      )}
    </section>
  );
}
