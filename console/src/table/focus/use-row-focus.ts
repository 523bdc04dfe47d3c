import { type RefObject, useLayoutEffect, useRef } from 'react';
import { usePageEvent } from '../../browser/use-page-event.ts';
import type { Listed } from '../columns.ts';
import { headIndex, placeOf, rowAt, targetIn } from './cells.ts';
import { nextRow } from './next-row.ts';

interface RowFocusOptions {
  readonly table: RefObject<HTMLElement | null>;
  readonly items: readonly Listed[];
  readonly isGrid: boolean;
  /** The row that had the focus last, which stays rendered. */
  readonly held: { readonly id: number | undefined; readonly index: number };
  readonly hold: (id: number, cell: number | undefined) => void;
  /** The rows in the window. */
  readonly range: { readonly startIndex: number; readonly endIndex: number };
  readonly focusRow: (index: number, cell: number | undefined, shows: false) => void;
  readonly scrollToIndex: (index: number) => void;
}

/**
 * Keeps the focus of a list while others change its rows: it goes with its row, and to the next one when its row leaves
 * the list. Of a cell with a field, the field has it: what is typed is never lost. A grid has one tab stop: what had the focus last, at first a row in the window.
 */
export function useRowFocus(options: RowFocusOptions): void {
  const { table, items, isGrid, held, hold, range, focusRow, scrollToIndex } = options;
  const focused = useRef<HTMLElement | null>(null);
  const cell = useRef<number | undefined>(undefined);
  const stop = useRef<HTMLElement | null>(null);
  /** The row that had the focus last, and the rows when it was among them last. */
  const last = useRef({ ...held, items });
  const keepOneStop = (): void => {
    const row = rowAt(table, held.index < 0 ? range.startIndex : held.index);
    if (stop.current?.isConnected !== true) stop.current = row && targetIn(row, cell.current);
    for (const one of table.current?.querySelectorAll<HTMLElement>('a, button, input, [tabindex="0"]') ?? [])
      if (one.tabIndex === 0) one.tabIndex = -1;
    if (stop.current !== null) stop.current.tabIndex = 0;
  };
  // What closes as the focus goes elsewhere has not lost it. The list is rendered between this event and the next.
  usePageEvent(
    'focusout',
    ({ relatedTarget }) => {
      if (relatedTarget !== null) focused.current = null;
    },
    true,
  );
  usePageEvent('focusin', ({ target }) => {
    const isHere = target instanceof HTMLElement && table.current?.contains(target) === true;
    focused.current = isHere ? target : null;
    const place = placeOf(focused.current);
    if (place === undefined) return;
    const item = items[place.index];
    if (item !== undefined) {
      hold(item.id, place.cell);
      last.current = { id: item.id, index: place.index, items };
    }
    cell.current = place.cell;
    stop.current = focused.current;
    if (isGrid) keepOneStop();
    // A press on a cell focuses the cell, not the field in it that gets what is typed; no click may follow.
    if (isHere && target.matches('td')) target.querySelector<HTMLElement>('.ready > *')?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const { id, index, items: before } = last.current;
    if (held.index >= 0) last.current = { ...held, items };
    const isSeen = (row: number): boolean => row >= range.startIndex && row <= range.endIndex;
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (isLost) {
      const next = index < 0 ? headIndex : nextRow(before, index, items);
      const heir = items[next];
      // It may not be rendered yet: it is held, which renders it.
      focused.current = null;
      if (heir !== undefined) hold(heir.id, undefined);
      focusRow(next, cell.current, false);
    } else if (focused.current !== null && held.id === id && isSeen(index) && held.index >= 0 && !isSeen(held.index))
      scrollToIndex(held.index);
    if (isGrid) keepOneStop();
  });
}
