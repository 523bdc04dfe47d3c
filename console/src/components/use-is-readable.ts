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

/** Whether what a dialog shows is too new to be read: its button waits. */
export function useIsUnread(shown: unknown, isNew: boolean): boolean {
  const isReadable = useIsReadable(isNew ? shown : null);
  return isNew && !isReadable;
}

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
    shown.current = [...sinceRead(shown.current), { value, at }];
  }, [value]);
  return useCallback(<Found>(find: (value: Value) => Found | undefined): Found | undefined => {
    for (const one of sinceRead(shown.current)) {
      const found = find(one.value);
      if (found !== undefined) return found;
    }
    return undefined;
  }, []);
}
