import { type PointerEvent, useEffect, useState } from 'react';
import { formatAgo, formatTime } from './text.ts';

/** A tooltip with seconds and time zone. */
function showExact({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  currentTarget.title = format.format(new Date(currentTarget.dateTime));
}

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} onPointerEnter={showExact}>
      {formatTime(at)}
    </time>
  );
}

const tickMs = 30_000;

/** How long ago it was; it goes on while it is shown. */
export function Ago({ at }: { readonly at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <time className="hint" dateTime={at} onPointerEnter={showExact}>
      {formatAgo(at, now)}
    </time>
  );
}
