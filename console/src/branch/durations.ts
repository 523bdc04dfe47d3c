import { t } from '../language/language.ts';
import { yearsMax } from './year-codes.ts';

/** Years that a part of a duration takes, by its unit; a number alone counts years. */
const units = [
  { unit: /^(y|ann|an$|ans$|año|jahr)/i, perYear: 1 },
  { unit: /^(sem)/i, perYear: 2 },
  { unit: /^(trim|quarter|term)/i, perYear: 4 },
  { unit: /^(mon|mois|mes)/i, perYear: 12 },
] as const;

/** The years that a duration says: 2 for `2 Years`, `24 months` and `4 semesters`; `undefined` if it says no whole number. */
export function yearsOf(duration: string): number | undefined {
  const [, digits, word = ''] = /(\d+)\s*(\p{L}*)/u.exec(duration) ?? [];
  if (digits === undefined || /\d[.,/½¼¾]|[½¼¾]/u.test(duration)) return undefined;
  const perYear = word === '' ? 1 : units.find(({ unit }) => unit.test(word))?.perYear;
  const years = perYear === undefined ? 0 : Number(digits) / perYear;
  return Number.isInteger(years) && years > 0 && years <= yearsMax ? years : undefined;
}

export const doubtOfDuration = (duration: string): string | undefined =>
  duration.trim() !== '' && !/\p{N}/u.test(duration) ? t('program.doubtOfDuration') : undefined;

export const doubtOfCode = (code: string): string | undefined =>
  /^\s*\d+\s*(years?|yrs?|months?|semesters?|jahre?|ans|años?)\s*$/i.test(code) ? t('program.doubtOfCode') : undefined;
