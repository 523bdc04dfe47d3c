import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { stepOf } from '../browser/keys.ts';
import { Tick } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { type Column, classOf, type Listed } from './columns.ts';
import { headIndex } from './focus/cells.ts';
import type { Selection } from './use-selection.ts';

interface HeadProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly order: string | undefined;
  readonly onOrder: ((order: string | null) => void) | undefined;
  /** Sets the width of a column in pixels, for good once the pointer is released. */
  readonly onWidth: ((id: string, pixels: number, isFinal: boolean) => void) | undefined;
  readonly selection: Selection | undefined;
  readonly items: readonly Listed[];
  /** Of a grid: the arrow keys lead to its cells. */
  readonly isGrid: boolean;
}

export function Head<Item>({ columns, selection, items, ...props }: HeadProps<Item>) {
  const isAny = selection !== undefined && selection.ids.size > 0;
  return (
    <thead>
      <tr aria-rowindex={1} data-index={headIndex} className="row head">
        {selection !== undefined && (
          <th scope="col" className="pick" {...(props.isGrid && { tabIndex: -1 })}>
            <Tick
              label={t('table.selectAll')}
              isSelected={isAny && items.every(({ id }) => selection.ids.has(id))}
              isPartly={isAny}
              onPress={() => (isAny ? selection.clear() : selection.selectAll())}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} {...props} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellProps<Item> extends Pick<HeadProps<Item>, 'order' | 'onOrder' | 'onWidth' | 'isGrid'> {
  readonly column: Column<Item>;
}

/** Sorts by its column: one way, the other way, and then as usual. Shift with ← and → moves its edge. */
function HeadCell<Item>({ column, order, onOrder, onWidth, isGrid }: HeadCellProps<Item>) {
  const { name, orders, look, isLatestFirst = false } = column;
  const direction = order === orders?.ascending ? 'ascending' : order === orders?.descending ? 'descending' : 'none';
  const isSortable = orders !== undefined && onOrder !== undefined;
  const ways: (string | undefined)[] = orders === undefined ? [] : [orders.ascending, orders.descending];
  if (isLatestFirst) ways.reverse();
  const sort = (): void => onOrder?.(ways[ways.indexOf(order) + 1] ?? null);
  const [now, setNow] = useState(widthMin);
  const step = (event: KeyboardEvent<HTMLElement>): void => {
    const by = stepOf(event.key);
    const isEdge = event.target instanceof Element && event.target.matches('.sizer');
    if (by === undefined || onWidth === undefined || !(event.shiftKey || isEdge)) return;
    event.preventDefault();
    const pixels = within(widthOf(event.currentTarget) + by * widthStep);
    setNow(pixels);
    onWidth(column.id, pixels, true);
  };
  return (
    <th
      scope="col"
      className={classOf(look === 'mono' ? { ...column, look: 'quiet' } : column)}
      aria-label={name}
      {...(isGrid && { tabIndex: -1 })}
      onKeyDown={step}
      {...(isSortable && { 'aria-sort': direction })}
    >
      {isSortable ? (
        <button type="button" className="sort" onClick={sort}>
          {name}
          <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
        </button>
      ) : (
        name
      )}
      {onWidth !== undefined && (
        <Sizer {...{ name, now, setNow }} set={(pixels, isFinal) => onWidth(column.id, pixels, isFinal)} />
      )}
    </th>
  );
}

const widthMin = 40;
const widthMax = 2_000;
/** How far an arrow key moves the edge of a column. */
const widthStep = 16;

const widthOf = (head: Element | null): number => Math.round(head?.getBoundingClientRect().width ?? 0);

interface SizerProps {
  readonly name: string;
  readonly now: number;
  readonly setNow: (pixels: number) => void;
  readonly set: (pixels: number, isFinal: boolean) => void;
}

/** The edge of a column, which the pointer drags by as many pixels, wherever the columns beside it leave the edge. */
function Sizer({ name, now, setNow, set }: SizerProps) {
  /** Which way of the pointer makes it wider. */
  const way = (): number => (document.documentElement.dir === 'rtl' ? -1 : 1);
  /** The width of the column less the place of the pointer, at the begin of a drag. */
  const offset = useRef(0);
  const drag =
    (isFinal: boolean) =>
    ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
      if (!currentTarget.hasPointerCapture(pointerId)) return;
      set(within(Math.round(offset.current + way() * clientX)), isFinal);
    };
  return (
    // biome-ignore lint/a11y/useSemanticElements: `hr` has no children, no focus and no value.
    <span
      className="sizer"
      role="separator"
      tabIndex={-1}
      aria-orientation="vertical"
      aria-label={t('table.width', { name })}
      aria-valuemin={widthMin}
      aria-valuemax={widthMax}
      aria-valuenow={now}
      onFocus={({ currentTarget }) => setNow(widthOf(currentTarget.parentElement))}
      onPointerDown={({ currentTarget, pointerId, clientX }) => {
        currentTarget.setPointerCapture(pointerId);
        offset.current = widthOf(currentTarget.parentElement) - way() * clientX;
      }}
      onPointerMove={drag(false)}
      onPointerUp={drag(true)}
    />
  );
}

const within = (pixels: number): number => Math.min(widthMax, Math.max(widthMin, pixels));
