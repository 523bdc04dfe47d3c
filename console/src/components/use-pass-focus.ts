import { type RefObject, useLayoutEffect } from 'react';

/** When the element is removed with the focus in it, the list around it has the focus: the keyboard goes on near by. */
export function usePassFocus(element: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement) !== true) return;
      const heir = list.current ?? document.getElementById('main');
      heir?.focus({ preventScroll: true });
    },
    [element, list],
  );
}
