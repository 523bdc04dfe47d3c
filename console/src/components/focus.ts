import { type RefObject, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';

/**
 * Renders a change and then focuses an element that it adds, such as the button of a form that closes. Without
 * `flushSync`, the next frame may come before the element.
 */
export function focusAfter(change: () => void, element: RefObject<HTMLElement | null>): void {
  flushSync(change);
  requestAnimationFrame(() => element.current?.focus());
}

/** Moves the focus to the list when an element of it is removed that has the focus. */
export function usePassFocus(element: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement) !== true) return;
      const target = list.current ?? document.getElementById('main');
      target?.focus({ preventScroll: true });
    },
    [element, list],
  );
}
