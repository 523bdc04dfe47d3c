import { formatChoice, formatDate } from '../../format/text.ts';
import { t } from '../../language/language.ts';
import { type Condition, dayIn, type RangeOf, recentDays } from '../../lists/condition.ts';

/** `Duration is not 2 Years or 3 Years`, `Changed from 5 Nov 2026 to 7 Nov 2026`, `Code is empty`. */
export function conditionText(
  name: string,
  condition: Condition,
  range: RangeOf | undefined,
  textOf = (value: string) => value,
): string {
  const { is = [], has, problem, from = '', to = '', not = false } = condition;
  if (has !== undefined) return t('filters.has', { name, has: has === not ? 'no' : 'yes' });
  if (problem) return t('filters.problem', { name });
  if (is.length > 0) return t('filters.is', { name, not: not ? 'yes' : 'no', values: formatChoice(is.map(textOf)) });
  const isRecent = recentDays.some((day) => day === from) && (to === from || (from === 'week' && to === ''));
  if (isRecent) return t('filters.day', { name, day: from });
  const kind = from === to ? 'same' : to === '' ? 'from' : from === '' ? 'to' : 'both';
  if (range !== 'days') return t('filters.range', { name, kind, from: textOf(from), to: textOf(to) });
  const shown = (end: string): string => {
    const day = dayIn(end);
    return day === undefined ? end : formatDate(day);
  };
  return t('filters.days', { name, kind, from: shown(from), to: shown(to) });
}
