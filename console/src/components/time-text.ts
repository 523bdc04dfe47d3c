const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/*
 * As `Intl.DateTimeFormat` writes them for `en-GB`. The first use of `Intl` has the browser read the names of all
 * languages, which takes longer than anything else before the first screen.
 */

const two = (number: number): string => String(number).padStart(2, '0');

/** A day and a time, in the time zone of the reader: `22 Nov 2026, 16:05`. */
export function formatTime(at: string): string {
  const time = new Date(at);
  const day = `${time.getDate()} ${months[time.getMonth()]} ${time.getFullYear()}`;
  return `${day}, ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** A day of the calendar in UTC: `22 Nov`. */
export function formatDay(at: string): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]}`;
}
