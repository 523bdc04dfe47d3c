const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** A day and a time, in the time zone of the reader. */
export const formatTime = (at: string): string => absolute.format(new Date(at));

/** An instant, in the time zone of the reader. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {formatTime(at)}
    </time>
  );
}
