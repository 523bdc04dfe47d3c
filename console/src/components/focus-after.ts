import type { RefObject } from 'react';
import { flushSync } from 'react-dom';

/**
 * Changes what is on the screen, and moves the focus to what is there then: from a form that closes to its button.
 * Without `flushSync`, the next frame may come before the button.
 */
export function focusAfter(change: () => void, element: RefObject<HTMLElement | null>): void {
  flushSync(change);
  requestAnimationFrame(() => element.current?.focus());
}
