import type { PointerEvent } from 'react';
import { formatTime } from './text.ts';

/** Adds a tooltip: the instant to the second, with the time zone. */
function showExact({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  currentTarget.title = format.format(new Date(currentTarget.dateTime));
}

/** An instant, in the time zone of the reader. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} onPointerEnter={showExact}>
      {formatTime(at)}
    </time>
  );
}
