import { formatDate } from '../format/text.ts';
import { t } from '../language/language.ts';
import { dayAgo, dayOf } from '../search-parameters.ts';

/** The day of an instant, as a heading: `Today`, `Yesterday`, `22 Nov 2026`. */
export function nameOfDay(at: string): string {
  const day = dayOf(new Date(at));
  if (day === dayAgo(0)) return t('changes.today');
  return day === dayAgo(1) ? t('changes.yesterday') : formatDate(day);
}
