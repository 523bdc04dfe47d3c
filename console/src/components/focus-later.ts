import type { RefObject } from 'react';

/** Moves the focus once what is changing on the screen has been rendered: a form that closes, back to its button. */
export function focusLater(element: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => element.current?.focus());
}
