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

function storable(name: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? `${name} is required.` : `${name} must be a string.`) })
    .superRefine((text, context) => {
      if (!text.isWellFormed())
        context.addIssue(`${name} must be well-formed Unicode: it has half of a surrogate pair.`);
      if (text.includes('\u0000')) context.addIssue(`${name} must not contain the NUL character.`);
    });
}

interface Bounds {
  /** Code points, at least; 0 unless told. */
  readonly least?: number;
  /** Code points, at most. */
  readonly most: number;
}

function bounded(name: string, { least = 0, most }: Bounds) {
  return (text: string, context: z.RefinementCtx<string>): void => {
    const length = lengthOf(text);
    if (length < least) context.addIssue(`${name} must not be blank.`);
    if (length > most) context.addIssue(`${name} must be at most ${most} characters long.`);
  };
}

/**
 * A string on one line: NFC-normalized, trimmed, without control characters, its length counted in
 * code points afterwards (`contract.md` 5). `name` begins its messages.
 */
export function oneLine(name: string, bounds: Bounds) {
  return storable(name)
    .transform((text) => text.normalize('NFC').trim())
    .superRefine((text, context) => {
      bounded(name, bounds)(text, context);
      if (controlCharacter.test(text)) context.addIssue(`${name} must be on one line, without control characters.`);
    });
}

/** A string of any number of lines: NFC-normalized and else kept as sent (`contract.md` 5). */
export function lines(name: string, bounds: Bounds) {
  return storable(name)
    .transform((text) => text.normalize('NFC'))
    .superRefine(bounded(name, bounds));
}
