import { lazy, Suspense, useSyncExternalStore } from 'react';
import { queue } from './toast-queue.ts';

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/** The messages; what shows them is loaded with the first one. */
export function Toasts() {
  const hasSome = useSyncExternalStore(
    (listener) => queue.subscribe(listener),
    () => queue.visibleToasts.length > 0,
  );
  return <Suspense fallback={null}>{hasSome && <ToastList />}</Suspense>;
}
