import { isReloading } from './reload.ts';
import { usePageEvent } from './use-page-event.ts';

/** The browser asks before the page is closed or loaded again while that would lose something. */
export const useAskBeforeLeaving = (isLosing: () => boolean): void =>
  usePageEvent('beforeunload', (event) => {
    if (isLosing() && !isReloading()) event.preventDefault();
  });
