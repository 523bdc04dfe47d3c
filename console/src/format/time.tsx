import { type PointerEvent, useSyncExternalStore } from 'react';
import { createListeners } from '../browser/listeners.ts';
import { locale } from '../language/language.ts';
import { formatAgo, formatTime } from './text.ts';

/** A tooltip with seconds and time zone. */
function showExact({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
  currentTarget.title = format.format(new Date(currentTarget.dateTime));
}

const tickMs = 30_000;

/** One timer for all shown times. */
const ticks = createListeners();
let now = Date.now();
setInterval(() => {
  now = Date.now();
  ticks.notify();
}, tickMs);

/** A time in its short form, which goes on while it is shown; whole as a tooltip and on paper. */
export function Time({ at }: { readonly at: string }) {
  const shown = useSyncExternalStore(ticks.listen, () => formatAgo(at, now));
  return (
    <time dateTime={at} onPointerEnter={showExact}>
      <span className="on-screen">{shown}</span>
      <span className="on-paper">{formatTime(at)}</span>
    </time>
  );
}
