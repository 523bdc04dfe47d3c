const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** An instant, in the time zone of the reader. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {absolute.format(date)}
    </time>
  );
}

/** `1,234`. */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** `1 program`, `1,234 programs`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
