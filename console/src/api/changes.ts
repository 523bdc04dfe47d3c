import { useEffect, useRef } from 'react';
import type { CatalogChangedSubscription } from './documents.generated.ts';

export type CatalogChange = CatalogChangedSubscription['catalogChanged'];

type Listener = (change: CatalogChange) => void;

export interface Changes {
  readonly notify: Listener;
  readonly listen: (listener: Listener) => () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<Listener>();
  return {
    notify: (change) => {
      for (const listener of listeners) listener(change);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useChanges({ listen }: Changes, onChange: Listener): void {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => listen((change) => latest.current(change)), [listen]);
}

/** Runs at once, then at most once per interval; the last call always runs. */
export function throttle(run: () => void, intervalMs: number): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPending = false;
  const fire = (): void => {
    isPending = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) fire();
    }, intervalMs);
    run();
  };
  const call = (): void => {
    if (timer === undefined) fire();
    else isPending = true;
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return Object.assign(call, { cancel });
}
