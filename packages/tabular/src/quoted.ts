import { shortened } from '@service/errors';

/** With the ellipsis of a longer text. */
const charactersMax = 60;

/** Control characters and line separators that JSON does not escape. */
const unescaped = /[\u007f-\u009f\u2028\u2029]/g;

/** The beginning of a text in quotation marks, without anything that a terminal obeys. */
export function quoted(text: string): string {
  const beginning = text.length > charactersMax ? shortened(text, charactersMax - 1) : text;
  return JSON.stringify(beginning).replace(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
