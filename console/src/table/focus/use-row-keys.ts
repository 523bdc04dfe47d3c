import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react';
import { isCommand, isModified, isOccupied, isShortcut, isTyping, letterOf, stepOf } from '../../browser/keys.ts';
import { usePageEvent } from '../../browser/use-page-event.ts';
import type { Listed } from '../columns.ts';
import { isAcross, type LoadedRows } from '../gap.ts';
import type { Selection } from '../use-selection.ts';
import { cellsIn, firstVisible, headIndex, type Place, placeOf, rowAt, targetIn } from './cells.ts';

/** The record that is shown beside the list, if one is. */
export interface SidePanelState {
  readonly id: number | undefined;
  readonly show: (id: number | undefined) => void;
}

interface RowKeysOptions {
  readonly table: RefObject<HTMLElement | null>;
  readonly list: LoadedRows<Listed>;
  readonly scrollToIndex: (index: number) => void;
  readonly selection: Selection | undefined;
  readonly sidePanel: SidePanelState | undefined;
  /** Of a grid. */
  readonly edit: CellEditing | undefined;
}

interface CellEditing {
  /** Whether the cells at a place of their rows can be edited. */
  readonly isOffered: (cell: number) => boolean;
  /** Edits a cell; returns whether it can be edited. */
  readonly begin: (index: number, cell: number) => boolean;
}

const modifiers = ['Shift', 'Control', 'Alt', 'Meta'];

/**
 * The keys of a list. ↓ and ↑ move the focus from row to row; ↓ in the search field, or without a focus, enters the
 * list at its first visible row. Home and End lead to the ends of the whole list. X selects a row, Shift with an arrow a
 * range, Ctrl or Cmd with A all that are loaded, and Escape none. J, K and a click on a row show its record beside the
 * list, which then follows the focus until Escape. In a grid, ← and → move from cell to cell, and → from the last into
 * the record beside the list; ↑ from the first row leads to the head; Enter, F2 and a double click edit. A letter on the
 * link of a row is a shortcut, and in a cell the first of a text.
 */
export function useRowKeys(options: RowKeysOptions): (index: number, cell?: number, shows?: boolean) => void {
  const { table, list, scrollToIndex, selection, sidePanel, edit } = options;
  const { items, gapAt } = list;
  /** The cell that gets the focus once its row is rendered. */
  const wanted = useRef<Place | null>(null);
  const focusWanted = (): void => {
    if (wanted.current === null) return;
    const { index, cell } = wanted.current;
    const row = rowAt(table, index);
    if (row === null) {
      if (index < items.length) scrollToIndex(index);
      return;
    }
    wanted.current = null;
    targetIn(row, edit === undefined ? undefined : cell).focus();
  };
  useLayoutEffect(focusWanted);
  // The user chooses where the focus is: what was wanted before is not any more.
  const choices = useRef(0);
  const chooseAnew = (): void => {
    choices.current += 1;
    wanted.current = null;
  };
  usePageEvent('pointerdown', chooseAnew, true);
  usePageEvent('keydown', ({ key }) => !modifiers.includes(key) && chooseAnew(), true);
  const isOpen = sidePanel?.id !== undefined;
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  /** Focuses a row, which may be loaded just now. */
  const focusLoaded = (index: number, cell: number | undefined): void => {
    wanted.current = { index, cell };
    focusWanted();
    // Its page may have been rendered before.
    if (wanted.current !== null) renderAgain();
  };
  const focusRow = (index: number, cell?: number, shows = isOpen): void => {
    const item = items[index];
    if (item === undefined && index !== headIndex) return;
    if (shows && item !== undefined) sidePanel?.show(item.id);
    focusLoaded(index, cell);
  };
  const focusEnd = async (cell: number | undefined): Promise<void> => {
    const choice = choices.current;
    const rows = edit === undefined ? items : ((await list.loadEnd?.()) ?? items);
    if (choice === choices.current) focusLoaded(rows.length - 1, cell);
  };
  const selectKey = (event: KeyboardEvent, index: number | undefined): boolean => {
    const { key } = event;
    const item = items[index ?? headIndex];
    if (selection === undefined) return false;
    if (isCommand(event, 'a')) selection.selectAll();
    else if (isModified(event)) return false;
    else if (key === 'Escape' && selection.ids.size > 0) selection.clear();
    else if (letterOf(event) === 'x' && item !== undefined) selection.toggle(item.id, false);
    else return false;
    return true;
  };
  const sidePanelKey = (event: KeyboardEvent, index: number | undefined): boolean => {
    const { key } = event;
    const step = { j: 1, k: -1 }[letterOf(event)];
    if (sidePanel === undefined || isModified(event)) return false;
    if (key === 'Escape' && isOpen) sidePanel.show(undefined);
    else if (step === undefined) return false;
    else if (isOpen) focusRow((index ?? items.findIndex(({ id }) => id === sidePanel.id)) + step);
    else focusRow(index ?? firstVisible(table), undefined, true);
    return true;
  };
  const gridKey = ({ key, target, shiftKey }: KeyboardEvent, { index, cell }: Place): boolean => {
    if (edit === undefined) return false;
    if (key === 'F2' || (key === 'Enter' && !isControl(target))) return edit.begin(index, cell ?? 0);
    const step = stepOf(key);
    if (step === undefined || shiftKey) return false;
    const cells = cellsIn(rowAt(table, index));
    const at = cells.findIndex((one) => one.cellIndex === cell);
    const next = cells[Math.max(0, at) + step];
    if (next !== undefined) focusRow(index, next.cellIndex);
    else if (step > 0) document.querySelector<HTMLElement>('.side-panel')?.focus();
    return true;
  };
  const jumpKey = ({ key }: KeyboardEvent, place: Place | undefined): boolean => {
    if (key === 'End' && place !== undefined) void focusEnd(place.cell);
    else if (key === 'Home' && place !== undefined) focusRow(0, place.cell);
    else if (key === 'End' || key === 'Home') {
      window.scrollTo({ top: key === 'End' ? document.documentElement.scrollHeight : 0, behavior: 'instant' });
    } else return false;
    return true;
  };
  usePageEvent('keydown', (event) => {
    const { key, shiftKey, target } = event;
    if (event.defaultPrevented || items.length === 0) return;
    if (key === 'Escape' && target instanceof Element && target.closest('.side-panel') !== null && !isTyping(event)) {
      const row = document.querySelector<HTMLElement>('.row[aria-current]');
      if (sidePanel === undefined || row === null) return;
      targetIn(row, undefined).focus();
      event.preventDefault();
      return;
    }
    const place = placeOf(target);
    if (place === undefined ? !isFirst(table) : !isWithin(table.current, target)) return;
    const index = place?.index;
    const isPlain = !isModified(event);
    const isFree = isPlain && key.length === 1 ? isShortcut(event) : !isOccupied(event);
    if (
      isFree &&
      (selectKey(event, index) ||
        sidePanelKey(event, index) ||
        (isPlain && place !== undefined && gridKey(event, place)) ||
        (isPlain && jumpKey(event, place)))
    ) {
      event.preventDefault();
      return;
    }
    if (!isPlain) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined && place !== undefined && isFree) {
      // What is between is being loaded.
      if (isAcross(gapAt, place.index, place.index + step)) return;
      if (shiftKey && selection !== undefined) selectStep(selection, items, place.index, place.index + step);
      focusRow(place.index + step, place.cell);
    } else if (key === 'ArrowDown' && !shiftKey && entersList(event)) {
      focusRow(firstVisible(table));
    } else return;
    event.preventDefault();
  });
  usePageEvent('click', ({ target, detail }) => {
    const place = placeOf(target);
    if (place === undefined || !isWithin(table.current, target) || isControl(target)) return;
    if (detail === 2) edit?.begin(place.index, place.cell ?? 0);
    if (detail !== 1 || getSelection()?.isCollapsed === false) return;
    // The second click of two must find its cell where it was: it leads to the cell, not to the record beside the list.
    const isCell =
      edit?.isOffered(place.cell ?? 0) === true &&
      !isWithin(rowAt(table, place.index)?.querySelector('td:not(.pick)'), target);
    if (isCell || sidePanel !== undefined) focusRow(place.index, place.cell, isCell ? isOpen : true);
  });
  return (index, cell, shows) => focusRow(Math.min(index, items.length - 1), cell, shows);
}

const isWithin = (element: HTMLElement | null | undefined, target: EventTarget | null): boolean =>
  target instanceof Node && element?.contains(target) === true;

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, label, summary, :is(input, select):not(.ready)') !== null;

/** Shift with an arrow: this row and the next. */
function selectStep(selection: Selection, items: readonly Listed[], ...indexes: readonly number[]): void {
  const ids = indexes.flatMap((index) => items[index]?.id ?? []);
  selection.set([...selection.ids, ...ids]);
}

/** Of several tables on a screen, the first has the keys that belong to no row. */
const isFirst = ({ current }: RefObject<HTMLElement | null>): boolean => document.querySelector('.table') === current;

/** Whether the key comes from the search field, or from nothing that could use it. */
function entersList(event: KeyboardEvent): boolean {
  const { target } = event;
  if (target instanceof HTMLInputElement) return target.type === 'search' && target.closest('main') !== null;
  return (target === document.body || (target instanceof Element && target.matches('main'))) && !isOccupied(event);
}
