import { z } from 'zod';

/** C0 and C1 control characters, DEL, and the Unicode line and paragraph separators (`docs/contract.md` 5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: to find them is what it is for.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The number of Unicode code points, as far as it matters: a code point has two code units at most. */
function lengthOf(text: string, most: number): number {
  if (text.length > 2 * most) return Number.POSITIVE_INFINITY;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function text(name: string, { least = 0, most }: Bounds) {
  return z
    .string({ error: (issue) => `${name} ${issue.input === undefined ? 'is required' : 'must be a string'}.` })
    .meta({ ...(least > 0 && { minLength: least }), maxLength: most });
}

interface Bounds {
  /** Code points, at least; 0 unless told. */
  readonly least?: number;
  /** Code points, at most. */
  readonly most: number;
}

/** Everything that is wrong with a text, all at once. */
function problemsOf(value: string, { least = 0, most }: Bounds): string[] {
  const length = lengthOf(value, most);
  return [
    ...(value.isWellFormed() ? [] : ['must be well-formed Unicode: it has half of a surrogate pair.']),
    ...(value.includes('\u0000') ? ['must not contain the NUL character.'] : []),
    ...(length < least ? ['must not be blank.'] : []),
    ...(length > most ? [`must be at most ${most} characters long.`] : []),
  ];
}

/** Normalization makes one code point of no more than this many (Unicode Standard Annex 15, maximum expansion). */
const composedMax = 4;

/** Among the marks that follow a base, this one is sorted last: any other is moved before it. */
const lastMark = '\u0345';
const isMark = (character: string): boolean =>
  character === lastMark || !(lastMark + character).normalize('NFD').startsWith(lastMark);

/**
 * The NFC form of a text; or the text itself when that form is certainly too long, as the text is then. Marks are sorted
 * in a time that grows with the square of their number, so that must be found out before: `most` characters come from no
 * more than four times as many, and of marks in a row no more than three join the character before them.
 */
function normalized(text: string, most: number): string {
  if (text.length <= most) return text.normalize('NFC');
  if (text.length > 2 * composedMax * most) return text;
  let length = 0;
  let marksInRow = 0;
  let left = 0;
  for (const character of text) {
    length += 1;
    marksInRow = isMark(character) ? marksInRow + 1 : 0;
    if (marksInRow >= composedMax) left += 1;
  }
  return length > composedMax * most || left > most ? text : text.normalize('NFC');
}

/**
 * A string on one line: NFC-normalized, trimmed, without control characters, its length counted in
 * code points afterwards (`docs/contract.md` 5). `name` begins its messages.
 */
export function singleLine(name: string, bounds: Bounds) {
  return text(name, bounds)
    .transform((value) => normalized(value.trim(), bounds.most).trim())
    .superRefine((value, context) => {
      for (const problem of problemsOf(value, bounds)) context.addIssue(`${name} ${problem}`);
      if (controlCharacter.test(value)) context.addIssue(`${name} must be on one line, without control characters.`);
    });
}

/** A string of any number of lines: NFC-normalized and else kept as sent (`docs/contract.md` 5). */
export function multiLine(name: string, bounds: Bounds) {
  return text(name, bounds)
    .transform((value) => normalized(value, bounds.most))
    .superRefine((value, context) => {
      for (const problem of problemsOf(value, bounds)) context.addIssue(`${name} ${problem}`);
    });
}
