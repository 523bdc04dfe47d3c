import { useEffect, useState } from 'react';

/** A key pressed sooner than this after a note appears is not a decision about it. */
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
