import { type RefObject, useEffect, useRef } from 'react';
import { isOccupied } from '../shell/shortcuts.ts';

/**
 * The keys of a list. ↓ and ↑ move the focus from row to row; ↓ in the search field, or without a focus, enters the
 * list at its first visible row. Home and End jump, with the focus if a row has it: a smooth scroll would render the
 * rows in between.
 */
export function useRowKeys(
  body: RefObject<HTMLElement | null>,
  count: number,
  scrollToIndex: (index: number) => void,
): void {
  const latest = useRef<(event: KeyboardEvent) => void>(() => undefined);
  useEffect(() => {
    const focusRow = (index: number): void => {
      if (index < 0 || index >= count) return;
      scrollToIndex(index);
      focusLink(body, index);
    };
    latest.current = (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (ctrlKey || metaKey || altKey || shiftKey || event.defaultPrevented) return;
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      const index = row === null ? undefined : Number(row.dataset['index']);
      if (key === 'Home' || key === 'End') {
        if (isOccupied(event)) return;
        const isEnd = key === 'End';
        window.scrollTo({ top: isEnd ? document.documentElement.scrollHeight : 0, behavior: 'instant' });
        if (index !== undefined) focusLink(body, isEnd ? count - 1 : 0);
      } else if (key === 'ArrowDown' && index === undefined && entersList(event)) {
        focusRow(firstVisible(body));
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && index !== undefined) {
        focusRow(index + (key === 'ArrowDown' ? 1 : -1));
      } else return;
      event.preventDefault();
    };
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => latest.current(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Frames until a row is rendered that the list has just been scrolled to. */
const framesMax = 10;

function focusLink(body: RefObject<HTMLElement | null>, index: number, frames = framesMax): void {
  requestAnimationFrame(() => {
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
    if (link) link.focus();
    else if (frames > 0) focusLink(body, index, frames - 1);
  });
}

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
