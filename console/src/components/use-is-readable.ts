import { useCallback, useEffect, useRef, useState } from 'react';

/** A key pressed sooner than this after something appears is not a decision about it. */
const readMs = 1_500;

/** Whether a note has said the same long enough to be read. */
export function useIsReadable(note: unknown): boolean {
  const [read, setRead] = useState<{ readonly note: unknown } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRead({ note }), readMs);
    return () => clearTimeout(timer);
  }, [note]);
  return read?.note === note && read !== null;
}

/** Whether what a dialog shows has changed too recently to be read: its button waits. */
export function useIsUnread(shown: unknown, isOvertaken: boolean): boolean {
  const isReadable = useIsReadable(isOvertaken ? shown : null);
  return isOvertaken && !isReadable;
}

let changedAt = Number.NEGATIVE_INFINITY;

/** After a change of many records by the user: what the screen shows next is known to them. */
export const expectOwnChange = (): void => {
  changedAt = performance.now();
};

/** Returns a function for what has been shown long enough to be read, or at first. */
export function useSeen<Shown extends object>(shown: Shown): () => Shown {
  const read = useRef(shown);
  const later = useRef<readonly { readonly shown: Shown; readonly at: number }[]>([]);
  const seen = useCallback((): Shown => {
    const readAt = performance.now() - readMs;
    return later.current.findLast(({ at }) => at <= readAt)?.shown ?? read.current;
  }, []);
  useEffect(() => {
    const at = performance.now();
    const isKnown = at - changedAt < readMs;
    read.current = isKnown ? shown : seen();
    later.current = isKnown ? [] : [...later.current.filter((one) => one.at > at - readMs), { shown, at }];
  }, [shown, seen]);
  return seen;
}
