import { useEffect, useState } from 'react';

/** A note that has been there for a shorter time is not read yet: a key that is pressed until then is no response to it. */
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
