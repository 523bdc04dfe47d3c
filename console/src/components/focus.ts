import { type RefObject, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';

/**
 * Renders a change, then focuses an element that it adds, such as the button of a form that closes. The next frame may
 * come before the element without `flushSync`.
 */
export function focusAfter(change: () => void, element: RefObject<HTMLElement | null>): void {
  flushSync(change);
  requestAnimationFrame(() => element.current?.focus());
}

/** Focuses the screen once a dialog is closed whose button is no longer there. */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  });
}

/** Passes the focus of a removed element to `heir` (a selector), else to the section or the screen around it. */
export function usePassFocus(element: RefObject<HTMLElement | null>, heir?: string): void {
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement) !== true) return;
      const around = element.current.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
      const next = heir === undefined ? null : document.querySelector<HTMLElement>(heir);
      (next ?? around)?.focus({ preventScroll: true });
    },
    [element, heir],
  );
}
