import { z } from 'zod';
import { withoutInvisible, withoutNeedless } from './invisible.ts';
import { isMark, withMarksInOrder } from './marks.ts';
import { issue } from './problems.ts';

/** C0 and C1 control characters, DEL, and the Unicode line and paragraph separators (`docs/contract.md` 5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Pattern, for documentation, of a text without control characters. Those around a text are removed before it is
 * checked.
 */
const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

/** The number of Unicode code points; infinite when certainly above `max` (a code point has at most two code units). */
function lengthOf(text: string, max: number): number {
  if (text.length > 2 * max) return Number.POSITIVE_INFINITY;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Code units that a text may have for each character that it is allowed, before anything takes it apart: a character has
 * at most two, NFC composes four into one, and as many may be invisible.
 */
const unitsPerCharacter = 16;

function text(name: string, { min = 0, max }: Bounds) {
  return z
    .string({ error: ({ input }) => issue(input === undefined ? 'REQUIRED' : 'NOT_TEXT', { field: name }) })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
    .refine((value) => value.trim().length <= unitsPerCharacter * max, issue('TOO_LONG', { field: name, max }));
}

interface Bounds {
  readonly min?: number;
  readonly max: number;
}

function problemsOf(field: string, value: string, { min = 0, max }: Bounds): string[] {
  const length = lengthOf(value, max);
  return [
    ...(value.isWellFormed() ? [] : [issue('NOT_UNICODE', { field })]),
    ...(value.includes('\u0000') ? [issue('HAS_NUL', { field })] : []),
    ...(length < min ? [issue('BLANK', { field })] : []),
    ...(length > max ? [issue('TOO_LONG', { field, max })] : []),
  ];
}

/** NFC composes at most this many code points into one (Unicode Standard Annex 15, maximum expansion). */
const composedMax = 4;

/**
 * The NFC form; the text itself when that is certainly too long, since canonical ordering takes quadratic time in the
 * marks in a row: `max` characters are composed of at most four times as many, with at most three marks of a row.
 */
function normalized(text: string, max: number): string {
  if (text.length <= max) return composed(text);
  if (text.length > 2 * composedMax * max) return text;
  let length = 0;
  let marksInRow = 0;
  let uncomposed = 0;
  for (const character of text) {
    length += 1;
    marksInRow = isMark(character) ? marksInRow + 1 : 0;
    if (marksInRow >= composedMax) uncomposed += 1;
  }
  return length > composedMax * max || uncomposed > max ? text : composed(text);
}

const composed = (text: string): string => withMarksInOrder(text).normalize('NFC');

function line(name: string, bounds: Bounds, visible: (text: string) => string) {
  return text(name, bounds)
    .meta({ pattern: oneLine })
    .transform((value) => normalized(visible(value).trim(), bounds.max).trim())
    .superRefine((value, context) => {
      for (const problem of problemsOf(name, value, bounds)) context.addIssue(problem);
      if (controlCharacter.test(value)) context.addIssue(issue('NOT_ONE_LINE', { field: name }));
    });
}

/**
 * One line: trimmed, NFC-normalized, without invisible characters that its script does not need; its length is counted
 * in code points afterwards (`docs/contract.md` 5).
 */
export const singleLine = (name: string, bounds: Bounds) => line(name, bounds, withoutNeedless);

/** Checks a code as `singleLine` does, without any invisible character: people compare codes by eye and type them. */
export const codeLine = (name: string, bounds: Bounds) => line(name, bounds, withoutInvisible);

/** Each mandatory line break of Unicode (Standard Annex 14), but the line feed. */
const lineBreak = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** NFC-normalized, with line breaks in one form, otherwise unchanged (`docs/contract.md` 5). */
export function multiLine(name: string, bounds: Bounds) {
  return text(name, bounds)
    .transform((value) => normalized(value.replace(lineBreak, '\n'), bounds.max))
    .superRefine((value, context) => {
      for (const problem of problemsOf(name, value, bounds)) context.addIssue(problem);
    });
}
