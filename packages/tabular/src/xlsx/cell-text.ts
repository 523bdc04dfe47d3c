import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import { rowLengthMax } from '../rows.ts';
import type { NumberFormat, Part, Section } from './number-format.ts';

/** The text of a cell, as people see it. */
export interface CellText {
  readonly text: string;
  /** The number behind a text that a format has made: `4`, never `4.0` or `1E+05`. */
  readonly number?: string;
  /** Why the text may not be what people see, or have typed. */
  readonly doubt?: string;
}

/** The text of a cell whose place is known. */
export interface PlacedText extends Omit<CellText, 'doubt'> {
  readonly doubt?: Problem;
}

/** Significant digits: the others are noise of binary fractions, and Excel shows none of them. */
const digits = 15;
const fractionDigits = 20;
const dayMs = 86_400_000;
const secondMs = 1_000;

/** Characters of a number; the longest double of all has some eight hundred. */
const lengthMax = 1_000;

/** Doubles of XML Schema, except `NaN` and infinities, which are no number of a sheet. */
const numberPattern = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?\s*$/;

/**
 * The text of a cell with a number. Dates and times are as ISO 8601 writes them.
 * @param number as the file has it.
 */
export function numberText(number: string, format: NumberFormat, isFrom1904: boolean): CellText {
  const value =
    number.length <= lengthMax && numberPattern.test(number) ? Number(Number(number).toPrecision(digits)) : Number.NaN;
  if (!Number.isFinite(value)) return { text: number.trim() };
  const plain = decimal(value);
  const { section, isSigned } = sectionFor(format.numbers, value);
  if (section.kind === 'general') return { text: plain };
  if (section.kind === 'unknown') return { text: plain, doubt: `has the number ${excerpt(plain)} in another form` };
  if (section.kind === 'digits') return { text: digitsText(section, value, isSigned).trim(), number: plain };
  if (section.kind === 'span') return { text: spanText(section.parts, value) };
  const text = (value < 0 ? undefined : dateText(value, section.kind, isFrom1904)) ?? plain;
  return { text, doubt: `has the ${section.kind} ${text}` };
}

/** A text as its format, which may repeat it, shows it; of one that is longer than a row only so much that it is too long. */
export function formattedText(text: string, { texts }: NumberFormat): string {
  if (texts?.kind !== 'digits') return text;
  let shown = '';
  for (const part of texts.parts) {
    if (shown.length > rowLengthMax) break;
    if ('text' in part) shown += part.text;
    else if ('isValue' in part) shown += text;
  }
  return shown;
}

/** The section of a number, and whether that is to show its sign. */
function sectionFor([first, second, third]: NumberFormat['numbers'], value: number) {
  const positive: Section = first ?? { kind: 'unknown' };
  if (value < 0 && second !== undefined) return { section: second, isSigned: false };
  return { section: value === 0 ? (third ?? positive) : positive, isSigned: value < 0 };
}

/** Writes a number without an exponent; below `1e-20` it is 0. */
function decimal(value: number): string {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const all = shift < 0 ? whole.padStart(1 - shift, '0') + fraction : whole + fraction.padEnd(shift, '0');
  const point = shift < 0 ? 1 : whole.length + shift;
  const text = [all.slice(0, point), all.slice(point, point + fractionDigits).replace(/(?<!0)0+$/, '')]
    .filter(Boolean)
    .join('.');
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** Rounded half away from zero in decimal digits, as spreadsheets do. */
function rounded(text: string, places: number): readonly [whole: string, fraction: string] {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = BigInt(whole + fraction.padEnd(places, '0').slice(0, places));
  const up = Number(fraction.charAt(places) || '0') >= 5 ? 1n : 0n;
  const all = (kept + up).toString().padStart(places + 1, '0');
  return [all.slice(0, all.length - places), all.slice(all.length - places)];
}

const moved = (text: string, scale: number): string => {
  const [whole = '', fraction = ''] = text.split('.');
  const all = whole.padStart(whole.length + Math.max(0, -scale), '0') + fraction.padEnd(Math.max(0, scale), '0');
  const point = whole.length + Math.max(0, -scale) + scale;
  return `${all.slice(0, point)}.${all.slice(point)}`;
};

function digitsText(
  { parts, scale, isGrouped }: Extract<Section, { kind: 'digits' }>,
  value: number,
  isSigned: boolean,
): string {
  const point = parts.findIndex((part) => 'isPoint' in part);
  const [before, after] = point === -1 ? [parts, []] : [parts.slice(0, point), parts.slice(point + 1)];
  const plain = decimal(Math.abs(value));
  const [whole, fraction] = rounded(moved(plain, scale), after.filter((part) => 'digit' in part).length);
  const shownWhole = wholeText(before, plain, whole.replace(/^0+/, ''), isGrouped);
  const text = shownWhole + (point === -1 ? '' : `.${fractionText(after, fraction)}`);
  return isSigned && /[1-9]/.test(whole + fraction) ? `-${text}` : text;
}

/** Fills the places from the end; the first has the digits that are left. */
function wholeText(parts: readonly Part[], plain: string, whole: string, isGrouped: boolean): string {
  const first = parts.findIndex((part) => 'digit' in part);
  let text = '';
  let left = whole;
  let count = 0;
  const put = (digit: string): void => {
    if (isGrouped && count > 0 && count % 3 === 0) text = `,${text}`;
    text = digit + text;
    count += 1;
  };
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at];
    if (part === undefined || 'isPoint' in part) continue;
    if ('text' in part) text = part.text + text;
    else if ('isValue' in part) text = plain + text;
    else {
      const digit = left.at(-1) ?? (part.digit === '0' ? '0' : part.digit === '?' ? ' ' : '');
      left = left.slice(0, -1);
      if (digit !== '') put(digit);
      if (at !== first) continue;
      for (; left !== ''; left = left.slice(0, -1)) put(left.at(-1) ?? '');
    }
  }
  return text;
}

/** Zeros at its end are shown where the format has one. */
function fractionText(parts: readonly Part[], fraction: string): string {
  let text = '';
  let at = 0;
  for (const part of parts) {
    if ('text' in part) text += part.text;
    if (!('digit' in part)) continue;
    const isShown = part.digit === '0' || /[1-9]/.test(fraction.slice(at));
    text += isShown ? fraction.charAt(at) : part.digit === '?' ? ' ' : '';
    at += 1;
  }
  return text;
}

/** Hours beyond a day, such as `30:15:00`. */
function spanText(parts: readonly string[], days: number): string {
  const seconds = Math.round(Math.abs(days) * (dayMs / secondMs));
  const units: Readonly<Record<string, readonly [length: number, of: number]>> = {
    h: [3_600, 24],
    m: [60, 60],
    s: [1, 60],
  };
  const shown = parts.map((part) => {
    const [, name = '', zeros = ''] = /^\[([hms])(0+)\]$/.exec(part) ?? [];
    const total = units[name];
    if (total !== undefined) return String(Math.floor(seconds / total[0])).padStart(zeros.length, '0');
    const unit = /^(?:h+|m+|s+)$/.test(part) ? units[part.charAt(0)] : undefined;
    return unit === undefined ? part : String(Math.floor(seconds / unit[0]) % unit[1]).padStart(part.length, '0');
  });
  return (days < 0 ? '-' : '') + shown.join('');
}

/** Days since 1899-12-30, or 1904-01-01. `undefined` after the year 9999. */
function dateText(days: number, kind: 'date' | 'time', isFrom1904: boolean): string | undefined {
  const ms = Math.round((days * dayMs) / secondMs) * secondMs;
  // Spreadsheets have a 29th of February 1900, which is day 60.
  const shift = isFrom1904 ? 0 : days < 60 ? dayMs : 0;
  const date = new Date((isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) + shift + ms);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return undefined;
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  if (kind === 'time' || (days < 1 && !isFrom1904)) return time;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

/** The text of a date in ISO 8601: without its time at midnight, as of one that is a number. */
export function isoDateText(date: string): CellText {
  const text = date.replace(/^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0{1,9})?)?Z?$/, '$1');
  return { text, doubt: `has the date ${excerpt(text)}` };
}

/** Characters that XML cannot have are written as `_x000D_`. A text that may have been cut off stays too long for a row. */
export const withoutEscapes = (text: string): string =>
  text.length <= rowLengthMax && text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
