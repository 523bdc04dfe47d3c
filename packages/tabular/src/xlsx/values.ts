/** How the number of a cell is shown; zeros pad it. */
export type NumberFormat = 'number' | 'date' | { readonly zeros: number };

/** Ids of formats that every workbook has, of dates and times; those of East Asia included. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** The format of an id; with its code, when the workbook defines it. Source: ECMA-376, part 1, 18.8.30 and 18.8.31. */
export function numberFormatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : 'number';
  if (/^0{2,20}$/.test(code)) return { zeros: code.length };
  // Without what is in quotes, escaped, or in brackets (colours, conditions).
  const bare = (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/gi, '');
  return /[dmyhs]/i.test(bare) ? 'date' : 'number';
}

/** Significant digits: the others are noise of binary fractions. */
const digits = 15;
const fractionDigits = 20;
const dayMs = 86_400_000;
const secondMs = 1_000;

/**
 * The text of a cell with a number: `4`, never `4.0` or `1E+05`; a date as ISO 8601.
 * @param number as the file has it.
 */
export function numberText(number: string, format: NumberFormat, isFrom1904: boolean): string {
  const value = Number(Number(number).toPrecision(digits));
  if (!Number.isFinite(value)) return number;
  if (format === 'date' && value >= 0) return dateText(value, isFrom1904) ?? String(value);
  const text = plain(value);
  return typeof format === 'object' && /^\d+$/.test(text) ? text.padStart(format.zeros, '0') : text;
}

function plain(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') ? value.toFixed(fractionDigits).replace(/0+$/, '') : text;
}

/** Days since 1899-12-30, or 1904-01-01; a number below 1 is a time. `undefined` after the year 9999. */
function dateText(days: number, isFrom1904: boolean): string | undefined {
  const ms = Math.round((days * dayMs) / secondMs) * secondMs;
  // Spreadsheets have a 29th of February 1900, which is day 60.
  const shift = isFrom1904 ? 0 : days < 60 ? dayMs : 0;
  const date = new Date((isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) + shift + ms);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return undefined;
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  if (days < 1 && !isFrom1904) return time;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

/** Characters that XML cannot have are written as `_x000D_`. */
export const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
