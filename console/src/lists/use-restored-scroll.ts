import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { usePageEvent } from '../browser/use-page-event.ts';
import type { UsedPageList } from './use-page-list.ts';

/** Links by history entry: the address of the link that was followed from it. */
const followedLinks = new Map<string, string>();

const ofWindow = { getElement: () => window } as const;

/**
 * Restores the scroll position of a list after the back button or a reload: loads the pages that were visible or above,
 * which the router's own restoration knows nothing of, and focuses the link that was followed. Stops when the user scrolls.
 */
export function useRestoredScroll(list: Omit<UsedPageList<unknown>, 'loadAll' | 'reload'>): void {
  const { items, pageCount, hasNext, isPrevious, isLoading, loadMore } = list;
  const left = useElementScrollRestoration(ofWindow)?.scrollY ?? 0;
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const begun = useRef<string | undefined>(undefined);
  const target = useRef(0);
  const followed = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (begun.current === entry) return;
    begun.current = entry;
    target.current = left;
    followed.current = followedLinks.get(entry);
  }, [entry, left]);
  const keep = ({ target: clicked }: MouseEvent): void => {
    const link = clicked instanceof Element ? clicked.closest('main a[href]') : null;
    if (link !== null) followedLinks.set(entry, link.getAttribute('href') ?? '');
  };
  usePageEvent('click', keep, true);
  // The user scrolls.
  const stop = (): void => {
    target.current = 0;
    followed.current = undefined;
  };
  usePageEvent('wheel', stop);
  usePageEvent('touchmove', stop);
  usePageEvent('keydown', stop);
  usePageEvent('pointerdown', stop);
  // Runs after each rendering, as any may make the page longer.
  useLayoutEffect(() => {
    if (items.length === 0 || isPrevious) return;
    if (target.current === 0) return focusLink(followed);
    const height = document.documentElement.scrollHeight;
    const missing = target.current + window.innerHeight - height;
    if (missing > 0 && hasNext) {
      // Cached pages arrive at once, others one at a time.
      for (let pages = Math.ceil(missing / (height / pageCount)); pages > 0; pages -= 1) loadMore();
      return;
    }
    if (missing > 0 && isLoading) return;
    window.scrollTo({ top: target.current, behavior: 'instant' });
    target.current = 0;
    focusLink(followed);
  });
}

/** Focuses a link once its row is rendered, unless the user has moved the focus. */
function focusLink(followed: RefObject<string | undefined>): void {
  requestAnimationFrame(() => {
    const main = document.querySelector('main');
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== main;
    if (followed.current === undefined || isElsewhere) return;
    main?.querySelector<HTMLElement>(`a[href="${CSS.escape(followed.current)}"]`)?.focus({ preventScroll: true });
    followed.current = undefined;
  });
}
