const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat('en');

/** A day and a time in the browser's time zone: `22 Nov 2026, 16:05`. */
export const formatTime = (at: string): string => timeFormat.format(new Date(at));

/** A day in UTC: `22 Nov`. */
export const formatDay = (at: string): string => dayFormat.format(new Date(at));

/** `1,234`. */
export const formatCount = (count: number): string => countFormat.format(count);

/** `1 program`, `1,234 programs`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
