import { z } from 'zod';

/** C0 and C1 control characters, DEL, and the Unicode line and paragraph separators (`contract.md` 5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: to find them is what it is for.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The number of Unicode code points. */
function lengthOf(text: string): number {
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
  const length = lengthOf(value);
  return [
    ...(value.isWellFormed() ? [] : ['must be well-formed Unicode: it has half of a surrogate pair.']),
    ...(value.includes('\u0000') ? ['must not contain the NUL character.'] : []),
    ...(length < least ? ['must not be blank.'] : []),
    ...(length > most ? [`must be at most ${most} characters long.`] : []),
  ];
}

/**
 * A string on one line: NFC-normalized, trimmed, without control characters, its length counted in
 * code points afterwards (`contract.md` 5). `name` begins its messages.
 */
export function oneLine(name: string, bounds: Bounds) {
  return text(name, bounds)
    .transform((value) => value.normalize('NFC').trim())
    .superRefine((value, context) => {
      for (const problem of problemsOf(value, bounds)) context.addIssue(`${name} ${problem}`);
      if (controlCharacter.test(value)) context.addIssue(`${name} must be on one line, without control characters.`);
    });
}

/** A string of any number of lines: NFC-normalized and else kept as sent (`contract.md` 5). */
export function lines(name: string, bounds: Bounds) {
  return text(name, bounds)
    .transform((value) => value.normalize('NFC'))
    .superRefine((value, context) => {
      for (const problem of problemsOf(value, bounds)) context.addIssue(`${name} ${problem}`);
    });
}
