import { defaultRangeExtractor, type Range, type Rect, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { InSidePanel } from '../components/page-title.tsx';
import { type Column, type Listed, withWidth } from './columns.ts';
import { useCellEditor } from './focus/use-cell-editor.tsx';
import { useRowFocus } from './focus/use-row-focus.ts';
import { type SidePanelState, useRowKeys } from './focus/use-row-keys.ts';
import { indexAt, type LoadedRows, positionOf, sideToFill } from './gap.ts';
import type { Grid } from './grid.ts';
import { Head } from './head.tsx';
import { Row } from './row.tsx';
import { useHeldColumns } from './use-held-columns.ts';
import { describeMissing, usePrinting } from './use-printing.ts';
import type { Selection } from './use-selection.ts';

declare module 'react' {
  interface CSSProperties {
    /** The widths of the columns. */
    readonly '--tracks'?: string;
  }
}

export interface TableProps<Item extends Listed> {
  readonly label: string;
  /** Only the rows near the window are rendered. */
  readonly list: LoadedRows<Item>;
  /** Unchanged from one rendering to the next. */
  readonly columns: readonly Column<Item>[];
  /** The number of all rows, if it is known. */
  readonly total?: number | undefined;
  /** Highlights rows of this kind that were changed just now. */
  readonly kind?: RecordKind;
  readonly order?: string;
  /** Chooses another order; `null` the usual one. */
  readonly onOrder?: (order: string | null) => void;
  /** Takes columns with a width that the user has set. */
  readonly onColumns?: (columns: readonly Column<Item>[]) => void;
  readonly selection?: Selection;
  /** Shows records beside the list. */
  readonly sidePanel?: SidePanelState | undefined;
  /** Makes it a grid: its cells take the focus, and those of columns with an `edit` are edited in place. */
  readonly grid?: Grid<Item> | undefined;
  readonly actions?: ((row: Item) => ReactNode) | undefined;
  /** What is said above a row, by the row above it. */
  readonly headings?: (row: Item, above: Item | undefined) => string | undefined;
}

/** The first column says what a row is: others of no fixed width leave it room. */
const firstMin = '8rem';

/** Rows rendered outside of the window, and how many rows before the end the next page is requested. */
const overscan = 12;
const ahead = 60;

/** Where one touches the screen, a field that has the focus would bring up the keyboard. */
const isTypedAt = !matchMedia('(pointer: coarse)').matches;

/** As in `table.css`. */
const rowHeight = (): number => (matchMedia('(max-width: 40rem)').matches ? 67 : 36);

const windowRect = (): Rect => ({ width: window.innerWidth, height: window.innerHeight });

/**
 * The table of every list: one line for each record. Two spacers position the rows: inline styles on each row would make
 * the browser recompute the style of every cell while scrolling.
 */
export function Table<Item extends Listed>(props: TableProps<Item>) {
  const { label, list, total, kind, order, onOrder, onColumns, selection, sidePanel, grid, actions, headings } = props;
  const columns = useHeldColumns(props.columns, (grid?.editing ?? null) !== null);
  const isInPanel = use(InSidePanel);
  const { items, hasNext = false, isPrevious = false, gapAt, loadMore, loadBefore } = list;
  const gap = useMemo(
    () => (gapAt === undefined ? undefined : { at: gapAt, size: Math.max(1, (total ?? 0) - items.length) }),
    [gapAt, total, items],
  );
  const plain = useRef<HTMLTableElement>(null);
  const table = grid?.table ?? plain;
  const spaceBefore = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useTop(spaceBefore);
  // A new function would make the virtualizer measure all rows again.
  const getItemKey = useCallback(
    (position: number) => items[indexAt(gap, position) ?? -1]?.id ?? `gap ${position}`,
    [items, gap],
  );
  const [estimateSize] = useState(() => {
    const height = rowHeight();
    return () => height;
  });
  const [initialRect] = useState(windowRect);
  // The row with the focus stays rendered, wherever the window is: a field would lose what is typed.
  const [focused, setFocused] = useState<{ readonly id: number; readonly cell: number | undefined } | null>(null);
  const heldId = grid?.editing?.id ?? focused?.id;
  const held = useMemo(
    () => ({ id: heldId, index: heldId === undefined ? -1 : items.findIndex(({ id }) => id === heldId) }),
    [items, heldId],
  );
  const rangeExtractor = useCallback(
    (range: Range) => {
      const near = defaultRangeExtractor(range);
      const position = positionOf(gap, held.index);
      if (held.index < 0 || near.includes(position)) return near;
      return [...near, position].toSorted((one, other) => one - other);
    },
    [held, gap],
  );
  // A list that is loaded whole is rendered whole: the browser finds all its text. So is one that the window does not scroll.
  const isWhole = loadMore === undefined || isInPanel;
  const rows = useWindowVirtualizer({
    count: items.length + (gap?.size ?? 0),
    estimateSize,
    overscan: isWhole ? items.length : overscan,
    initialRect,
    scrollMargin,
    getItemKey,
    rangeExtractor,
  });
  // The window stays where it is when such rows are measured, as those of a dialog above a list.
  rows.shouldAdjustScrollPositionOnItemSizeChange = isWhole ? () => false : undefined;
  const isPrinting = usePrinting();
  const visible = rows.getVirtualItems().flatMap(({ index: position, start, end }) => {
    const index = indexAt(gap, position);
    return index === undefined ? [] : [{ index, start, end }];
  });
  const { startIndex: first, endIndex: last } = rows.range ?? { startIndex: 0, endIndex: 0 };
  const before = (visible[0]?.start ?? scrollMargin) - scrollMargin;
  const after = rows.getTotalSize() - ((visible.at(-1)?.end ?? scrollMargin) - scrollMargin);
  const shown = isPrinting ? items.map((_, index) => index) : visible.map(({ index }) => index);
  useEffect(() => {
    const side = gap && sideToFill(gap, first, last, ahead);
    if (side === 'start' || (hasNext && last >= items.length - ahead)) loadMore?.();
    else if (side === 'end') loadBefore?.();
  }, [gap, first, last, hasNext, items.length, loadMore, loadBefore]);
  const isSelectable = selection !== undefined;
  const cellOf = ({ id }: Column<Item>): number =>
    columns.findIndex((column) => column.id === id) + (isSelectable ? 1 : 0);
  const columnAt = (cell: number) => columns[Math.max(0, cell - (isSelectable ? 1 : 0))];
  const isOffered = (cell: number): boolean => grid?.editor !== undefined && columnAt(cell)?.edit !== undefined;
  const begin = (index: number, cell: number): boolean => {
    const [column, row] = [columnAt(cell), items[index]];
    if (!isOffered(cell) || column === undefined || row === undefined) return false;
    grid?.begin(row.id, column.id);
    return true;
  };
  const scrollToIndex = (index: number): void => rows.scrollToIndex(positionOf(gap, index), { align: 'center' });
  const edit = grid && { isOffered, begin };
  const focusRow = useRowKeys({ table, list, scrollToIndex, selection, sidePanel, edit });
  const isGrid = grid !== undefined;
  const hold = (id: number, at: number | undefined): void => {
    // Two cells of a row may take the focus before it is rendered: the last counts.
    setFocused((before) => (before?.id === id && before.cell === at ? before : { id, cell: at }));
  };
  const focusedColumn = focused?.cell === undefined || !isTypedAt ? undefined : columnAt(focused.cell)?.id;
  const near = (position: number): number => indexAt(gap, position) ?? (gap?.at ?? 1) - 1;
  const range = { startIndex: near(first), endIndex: near(last) };
  useRowFocus({ table, items, isGrid, held, hold, range, focusRow, scrollToIndex });
  const editor = useCellEditor({ grid, items, columns, cellOf, focusCell: focusRow });
  const [dragged, setDragged] = useState<{ readonly id: string; readonly pixels: number } | null>(null);
  const sized = dragged === null ? columns : withWidth(columns, dragged.id, dragged.pixels);
  const widths = [
    ...(isSelectable ? ['1.25rem'] : []),
    ...sized.map(({ width }, at) => (at === 0 ? width.replace('minmax(0,', `minmax(${firstMin},`) : width)),
  ];
  const setWidth = (id: string, pixels: number, isFinal: boolean): void => {
    setDragged(isFinal ? null : { id, pixels });
    if (isFinal) onColumns?.(withWidth(columns, id, pixels));
  };
  return (
    <table
      ref={table}
      {...(isGrid && { role: 'grid', 'aria-colcount': widths.length })}
      aria-label={label}
      aria-rowcount={(total ?? items.length) + 1}
      aria-busy={isPrevious}
      className={loadMore === undefined ? 'table whole' : 'table'}
      style={{ '--tracks': widths.join(' ') }}
    >
      {isPrinting && hasNext && <caption>{describeMissing(items.length, total)}</caption>}
      <Head {...{ columns, order, onOrder, selection, items, isGrid }} onWidth={onColumns && setWidth} />
      {!isPrinting && <tbody ref={spaceBefore} aria-hidden="true" style={{ height: before }} />}
      <tbody className="rows" translate={kind && 'no'}>
        {shown.map((index, at) => {
          const row = items[index];
          const space = isPrinting || at === 0 ? 0 : (visible[at]?.start ?? 0) - (visible[at - 1]?.end ?? 0);
          return (
            row && (
              <Row
                key={row.id}
                gap={space}
                index={index}
                position={positionOf(gap, index)}
                heading={headings?.(row, items[index - 1])}
                row={row}
                columns={columns}
                isInSidePanel={row.id === sidePanel?.id}
                measure={rows.measureElement}
                kind={kind}
                isSelected={selection?.ids.has(row.id)}
                select={selection?.toggle}
                {...(actions !== undefined && { actions })}
                isGrid={isGrid}
                editing={grid?.editing?.id === row.id ? grid.editing.column : undefined}
                focused={focused?.id === row.id ? focusedColumn : undefined}
                typed={grid?.typedIn(row)}
                {...(editor !== undefined && { editor })}
              />
            )
          );
        })}
      </tbody>
      {!isPrinting && <tbody aria-hidden="true" style={{ height: after }} />}
    </table>
  );
}

/** How far an element is below the start of the page, which changes with what is above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (element.current !== null) setTop(Math.round(window.scrollY + element.current.getBoundingClientRect().top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.getElementById('main') ?? document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
