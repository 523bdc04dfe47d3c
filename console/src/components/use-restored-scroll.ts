import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface RestoredList {
  readonly items: readonly unknown[];
  readonly pageCount: number;
  readonly hasNext: boolean;
  readonly isPrevious: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
}

/** What a person does to go elsewhere themselves. */
const ownScrolling = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** By entry of the history: the address of the link that led away from it. */
const followedLinks = new Map<string, string>();

const ofWindow = { getElement: () => window } as const;

/**
 * Brings a list back to where somebody left it, by the back button or a reload: loads the pages that were on the screen
 * and above it, which the router's own restoration does not know of, and focuses the link that led away. Ends when the
 * person scrolls meanwhile. The list may be rendered later than its items are there: `isShown`.
 */
export function useRestoredScroll(list: RestoredList, isShown = list.items.length > 0): void {
  const { pageCount, hasNext, isPrevious, isLoading, loadMore } = list;
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
  useEffect(() => {
    const keep = ({ target: clicked }: MouseEvent): void => {
      const link = clicked instanceof Element ? clicked.closest('main a[href]') : null;
      if (link !== null) followedLinks.set(entry, link.getAttribute('href') ?? '');
    };
    window.addEventListener('click', keep, { capture: true });
    return () => window.removeEventListener('click', keep, { capture: true });
  }, [entry]);
  useEffect(() => {
    const stop = (): void => {
      target.current = 0;
      followed.current = undefined;
    };
    for (const type of ownScrolling) window.addEventListener(type, stop, { passive: true });
    return () => {
      for (const type of ownScrolling) window.removeEventListener(type, stop);
    };
  }, []);
  // After each rendering, of which any may make the page longer.
  useLayoutEffect(() => {
    if (!isShown || isPrevious) return;
    if (target.current === 0) return focusLink(followed);
    const height = document.documentElement.scrollHeight;
    const missing = target.current + window.innerHeight - height;
    if (missing > 0 && hasNext) {
      // Pages in the cache are there at once; of the others one is loaded at a time.
      for (let pages = Math.ceil(missing / (height / pageCount)); pages > 0; pages -= 1) loadMore();
      return;
    }
    if (missing > 0 && isLoading) return;
    window.scrollTo({ top: target.current, behavior: 'instant' });
    target.current = 0;
    focusLink(followed);
  });
}

/** Focuses a link of a list whose rows are rendered by the next frame, unless the person has gone on meanwhile. */
function focusLink(followed: RefObject<string | undefined>): void {
  requestAnimationFrame(() => {
    const main = document.querySelector('main');
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== main;
    if (followed.current === undefined || isElsewhere) return;
    main?.querySelector<HTMLElement>(`a[href="${CSS.escape(followed.current)}"]`)?.focus({ preventScroll: true });
    followed.current = undefined;
  });
}
