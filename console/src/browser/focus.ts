import type { RefObject } from 'react';
import { flushSync } from 'react-dom';

/**
 * Renders a change, then focuses an element that it adds, such as the button of a form that closes. The next frame may
 * come before the element without `flushSync`.
 */
export function focusAfter(change: () => void, element: RefObject<HTMLElement | null>): void {
  flushSync(change);
  // The user may type in another field by now.
  if (document.activeElement !== document.body) return;
  requestAnimationFrame(() => element.current?.focus());
}

const areas = 'main, section[tabindex], dialog, [popover]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';

const mayTakeFocus = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();

const follows = (node: Node, element: Element): boolean =>
  !node.contains(element) && (node.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/**
 * Passes the focus of a control that is removed or disabled on: a removed area, such as a dialog or the messages, gives
 * it back to where it came from; in an area that stays it goes to the next control, else to the one before, else to the
 * area. The content of another page gets it itself.
 */
export function passFocusOn(): void {
  let last: Element | null = null;
  let path = '';
  const cameFrom = new WeakMap<Element, Element>();
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const area = target.closest(areas);
    if (area !== null && last?.isConnected === true && !area.contains(last)) cameFrom.set(area, last);
    last = target;
    path = window.location.pathname;
  });
  // A click on nothing takes the focus away on purpose.
  document.addEventListener('pointerdown', () => {
    last = null;
  });
  new MutationObserver((records) => {
    const lost = last;
    const { activeElement } = document;
    // The browser takes the focus of a disabled control away only later.
    if (lost === null || (activeElement !== document.body && activeElement !== lost)) return;
    const isRemoved = !lost.isConnected;
    if (!isRemoved && !lost.matches(':disabled')) return;
    const removal = records.findLast((record) => Array.from(record.removedNodes).some((node) => node.contains(lost)));
    const removedArea = isRemoved ? lost.closest(areas) : null;
    const { previousSibling, target } = isRemoved && removal ? removal : { previousSibling: lost, target: lost };
    const around = (target instanceof Element ? target.closest(areas) : null) ?? document.querySelector('main');
    const others = Array.from(around?.querySelectorAll<HTMLElement>(controls) ?? []).filter(mayTakeFocus);
    const from = previousSibling?.isConnected === true ? previousSibling : null;
    const isNext = (one: Element) =>
      from === null ? target.contains(one) || follows(target, one) : follows(from, one);
    const next = others.find(isNext) ?? others.at(-1);
    const isElsewhere = path !== window.location.pathname || removedArea?.matches('main') === true;
    const heirs = isElsewhere ? [] : [removedArea && cameFrom.get(removedArea), next, around];
    for (const heir of [...heirs, document.querySelector('main')]) {
      if (heir instanceof HTMLElement) heir.focus({ preventScroll: heir === around });
      if (document.activeElement === heir) return;
    }
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
