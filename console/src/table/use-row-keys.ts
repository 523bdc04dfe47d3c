import { type RefObject, useLayoutEffect, useRef } from 'react';
import { usePageEvent } from '../components/use-page-event.ts';
import { isOccupied, isTyping } from '../shell/shortcuts.ts';
import type { Listed } from './columns.ts';
import type { Selection } from './use-selection.ts';

/** The record that is shown beside the list, if one is. */
export interface Besides {
  readonly id: number | undefined;
  readonly show: (id: number | undefined) => void;
}

interface RowKeysOptions {
  readonly body: RefObject<HTMLElement | null>;
  readonly items: readonly Listed[];
  readonly scrollToIndex: (index: number) => void;
  readonly selection: Selection | undefined;
  readonly besides: Besides | undefined;
}

/**
 * The keys of a list. ↓ and ↑ move the focus from row to row; ↓ in the search field, or without a focus, enters the
 * list at its first visible row. Home and End jump, with the focus if a row has it. X selects a row, Shift with an arrow
 * a range, Ctrl or Cmd with A all that are loaded, and Escape none. J, K and a click on a row show its record beside the
 * list, which then follows the focus until Escape.
 */
export function useRowKeys({ body, items, scrollToIndex, selection, besides }: RowKeysOptions): void {
  /** The row that gets the focus once it is rendered. */
  const wanted = useRef<number | null>(null);
  const focusWanted = (): void => {
    const row = wanted.current === null ? null : rowAt(body, wanted.current);
    if (row === null) return;
    wanted.current = null;
    (row.querySelector<HTMLElement>('a, button, summary') ?? row).focus();
  };
  useLayoutEffect(focusWanted);
  const isOpen = besides?.id !== undefined;
  const focusRow = (index: number, shows = isOpen): void => {
    const item = items[index];
    if (item === undefined) return;
    if (shows) besides?.show(item.id);
    wanted.current = index;
    if (rowAt(body, index) === null) scrollToIndex(index);
    focusWanted();
  };
  const selectKey = ({ key, ctrlKey, metaKey }: KeyboardEvent, index: number | undefined): boolean => {
    if (selection === undefined) return false;
    const isAll = (ctrlKey || metaKey) && key.toLowerCase() === 'a';
    if (isAll) selection.selectAll();
    else if (ctrlKey || metaKey) return false;
    else if (key === 'Escape' && selection.ids.size > 0) selection.clear();
    else if (key === 'x' && index !== undefined) selection.toggle(items[index]?.id ?? 0, false);
    else return false;
    return true;
  };
  const besidesKey = ({ key, ctrlKey, metaKey }: KeyboardEvent, index: number | undefined): boolean => {
    const step = { j: 1, k: -1 }[key];
    if (besides === undefined || ctrlKey || metaKey) return false;
    if (key === 'Escape' && isOpen) besides.show(undefined);
    else if (step === undefined) return false;
    else if (isOpen) focusRow((index ?? items.findIndex(({ id }) => id === besides.id)) + step);
    else focusRow(index ?? firstVisible(body), true);
    return true;
  };
  usePageEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (altKey || event.defaultPrevented || items.length === 0) return;
    const row = rowOf(target);
    if (row === null ? !isFirst(body) : body.current?.contains(row) !== true) return;
    const index = row === null ? undefined : Number(row.dataset['index']);
    const isLetter = key.length === 1 && !ctrlKey && !metaKey;
    const isFree = isLetter ? !isTyping(event) : !isOccupied(event);
    if (isFree && (selectKey(event, index) || besidesKey(event, index))) {
      event.preventDefault();
      return;
    }
    if (ctrlKey || metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (key === 'Home' || key === 'End') {
      if (isOccupied(event)) return;
      const isEnd = key === 'End';
      window.scrollTo({ top: isEnd ? document.documentElement.scrollHeight : 0, behavior: 'instant' });
      if (index !== undefined) focusRow(isEnd ? items.length - 1 : 0);
    } else if (step !== undefined && index !== undefined) {
      if (shiftKey && selection !== undefined) selectStep(selection, items, index, index + step);
      focusRow(index + step);
    } else if (key === 'ArrowDown' && !shiftKey && entersList(event)) {
      focusRow(firstVisible(body));
    } else return;
    event.preventDefault();
  });
  usePageEvent('click', ({ target }) => {
    const row = rowOf(target);
    if (besides === undefined || row === null || body.current?.contains(row) !== true) return;
    const isOther = target instanceof Element && target.closest('a, button, label, summary') !== null;
    if (!isOther && getSelection()?.isCollapsed !== false) focusRow(Number(row.dataset['index']), true);
  });
}

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;

/** Shift with an arrow: this row and the next. */
function selectStep(selection: Selection, items: readonly Listed[], ...indexes: readonly number[]): void {
  const ids = indexes.flatMap((index) => items[index]?.id ?? []);
  selection.set([...selection.ids, ...ids]);
}

/** Of several tables on a screen, the first has the keys that belong to no row. */
const isFirst = ({ current }: RefObject<HTMLElement | null>): boolean => document.querySelector('.rows') === current;

const rowAt = (body: RefObject<HTMLElement | null>, index: number) =>
  body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;

/** Whether the key comes from the search field, or from nothing that could use it. */
function entersList(event: KeyboardEvent): boolean {
  const { target } = event;
  if (target instanceof HTMLInputElement) return target.type === 'search' && target.closest('main') !== null;
  return (target === document.body || (target instanceof Element && target.matches('main'))) && !isOccupied(event);
}

function firstVisible(body: RefObject<HTMLElement | null>): number {
  const rows = body.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [];
  return Number(Array.from(rows).find((row) => row.getBoundingClientRect().top >= 0)?.dataset['index'] ?? 0);
}
