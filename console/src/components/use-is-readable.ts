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

let inFlight = 0;
let changedAt = Number.NEGATIVE_INFINITY;

/** Waits for a change of many records by the user: if it is done, what the screen shows next is known to them. */
export async function ownChange<Result>(change: Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  inFlight += 1;
  try {
    const result = await change;
    if (isDone(result)) changedAt = performance.now();
    return result;
  } finally {
    inFlight -= 1;
  }
}

/** Whether changes of records are likely to be the user's own: their events come before the response, or soon after. */
export const isOwnChange = (): boolean => inFlight > 0 || performance.now() - changedAt < readMs;

interface Shown<Value> {
  readonly value: Value;
  readonly at: number;
}

/** What can have been read by now, first, and what has been shown since. */
function sinceRead<Value>(shown: readonly Shown<Value>[]): readonly Shown<Value>[] {
  const readAt = performance.now() - readMs;
  return shown.slice(
    Math.max(
      0,
      shown.findLastIndex(({ at }) => at <= readAt),
    ),
  );
}

/** Returns a function that finds something in what has been shown long enough to be read, else as it was shown first. */
export function useSeen<Value>(value: Value) {
  const shown = useRef<readonly Shown<Value>[]>([{ value, at: Number.NEGATIVE_INFINITY }]);
  useEffect(() => {
    const at = performance.now();
    shown.current = at - changedAt < readMs ? [{ value, at: changedAt }] : [...sinceRead(shown.current), { value, at }];
  }, [value]);
  return useCallback(<Found>(find: (value: Value) => Found | undefined): Found | undefined => {
    for (const one of sinceRead(shown.current)) {
      const found = find(one.value);
      if (found !== undefined) return found;
    }
    return undefined;
  }, []);
}
