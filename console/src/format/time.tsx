import type { PointerEvent } from 'react';
import { formatTime } from './text.ts';

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
