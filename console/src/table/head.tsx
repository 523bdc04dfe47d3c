import { Button } from 'react-aria-components/Button';
import { Tick } from '../components/tick.tsx';
import type { Column, Listed } from './columns.ts';
import type { Selection } from './use-selection.ts';

interface HeadProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly order: string | undefined;
  readonly onOrder: ((order: string | null) => void) | undefined;
  readonly selection: Selection | undefined;
  readonly items: readonly Listed[];
}

export function Head<Item>({ columns, order, onOrder, selection, items }: HeadProps<Item>) {
  const isAny = selection !== undefined && selection.ids.size > 0;
  return (
    <thead>
      <tr aria-rowindex={1} className="row head">
        {selection !== undefined && (
          <th scope="col" className="pick">
            <Tick
              label="Select the rows of the list"
              isSelected={isAny && items.every(({ id }) => selection.ids.has(id))}
              isPartly={isAny}
              onPress={() => (isAny ? selection.clear() : selection.selectAll())}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} order={order} onOrder={onOrder} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellProps {
  readonly column: Pick<Column<unknown>, 'name' | 'orders' | 'look' | 'isNarrow'>;
  readonly order: string | undefined;
  readonly onOrder: ((order: string | null) => void) | undefined;
}

/** Sorts by its column: one way, the other way, and then as usual. */
function HeadCell({ column: { name, orders, look, isNarrow }, order, onOrder }: HeadCellProps) {
  const className = [look === 'number' ? 'number' : '', isNarrow === true ? 'narrow' : ''].join(' ').trim();
  if (orders === undefined || onOrder === undefined) {
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  }
  const { ascending, descending } = orders;
  const direction = order === ascending ? 'ascending' : order === descending ? 'descending' : 'none';
  const next = { none: ascending, ascending: descending, descending: null }[direction];
  return (
    <th scope="col" aria-sort={direction} className={className}>
      <Button className="sort" onPress={() => onOrder(next)}>
        {name}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </Button>
    </th>
  );
}
