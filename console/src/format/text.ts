import { locale, t } from '../language/language.ts';

const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const hourFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat(locale);
const listFormat = new Intl.ListFormat(locale);
const choiceFormat = new Intl.ListFormat(locale, { type: 'disjunction' });

/** A day and a time in the browser's time zone: `22 Nov 2026, 16:05`. */
export const formatTime = (at: string): string => timeFormat.format(new Date(at));

/** A day in UTC: `22 Nov`. */
export const formatDay = (at: string): string => dayFormat.format(new Date(at));

/** A day that was chosen: `22 Nov 2026` for `2026-11-22`. */
export const formatDate = (day: string): string => dateFormat.format(new Date(`${day}T00:00`));

/** `1,234`. */
export const formatCount = (count: number): string => countFormat.format(count);

/** `2 programs, a branch and 3 years`. */
export const formatList = (parts: readonly string[]): string => listFormat.format(parts);

/** So many names are said, and the number of the others. */
const namedMax = 5;

export function nameSome(names: readonly string[]): string {
  const more = names.length > namedMax ? ` ${t('history.andMore', { count: names.length - namedMax })}` : '';
  return names.slice(0, namedMax).join(', ') + more;
}

const shortenedMax = 100;

/** The beginning of a text that somebody has typed, for a message. */
export const shortened = (text: string): string =>
  text.length > shortenedMax ? `${text.slice(0, shortenedMax)}…` : text;

/** `2 Years, 3 Years or 4 Years`. */
export const formatChoice = (parts: readonly string[]): string => choiceFormat.format(parts);

const minuteMs = 60_000;

/** How long ago an instant was, in the largest unit: `3 min ago`; its day after a week, and its time if it is to come. */
export function formatAgo(at: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(at)) / minuteMs);
  if (minutes < -1) return formatTime(at);
  if (minutes < 1) return t('format.justNow');
  if (minutes < 60) return t('format.minutesAgo', { count: minutes });
  if (minutes < 24 * 60) return t('format.hoursAgo', { count: Math.floor(minutes / 60) });
  const days = Math.floor(minutes / (24 * 60));
  return days <= 7 ? t('format.daysAgo', { count: days }) : dateFormat.format(new Date(at));
}

/** When something ends within days: `today, 16:05`, `tomorrow`, `in 3 days`. */
export function formatUntil(at: string, now = new Date()): string {
  const startOf = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((startOf(new Date(at)) - startOf(now)) / (24 * 60 * minuteMs));
  if (days < 1) return t('format.today', { time: hourFormat.format(new Date(at)) });
  return days === 1 ? t('format.tomorrow') : t('format.inDays', { count: days });
}
